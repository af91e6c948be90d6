export type * from "./types.ts";
export { AwsError } from "./error.ts";
export { evaluate } from "./evaluate.ts";
export { startAws } from "./start.ts";
