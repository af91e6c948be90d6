export * from "./all-done.ts";
export * from "./all-done.ts";
export * from "./context.ts";
export * from "./env.ts";
export * from "./errors.ts";
export * from "./ids.ts";
export * from "./log.ts";
export * from "./temporary.ts";
