export { approveProxy, changeProxy, revokeProxy } from "./change.ts";
export { isOver } from "./change.ts";
export { chartHash } from "./record-number.ts";
export { chartHashesOf, findProxies, hasProxies, listProxies, readProxy, type FoundProxy } from "./read.ts";
