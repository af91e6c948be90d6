export { approveProxy, changeProxy, revokeProxy } from "./change.ts";
export { isOver } from "./last-day.ts";
export { findProxies, hasProxies, listProxies, readProxy, type FoundProxy } from "./read.ts";
