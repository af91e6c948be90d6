export type * from "./types.ts";
export type { StoredMail } from "./ses/mail-store.ts";
export type { StoredText } from "./sms/text-store.ts";
export { startAws, type Aws } from "./start.ts";
export { type AwsOptions } from "./types.ts";
