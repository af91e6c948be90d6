export * from "./async.ts";
export * from "./context.ts";
export * from "./dates.ts";
export * from "./env.ts";
export * from "./errors.ts";
export * from "./ids.ts";
export * from "./input.ts";
export * from "./log.ts";
