export type * from "./types.ts";
export { startAws } from "./start.ts";
