export { OutboundError } from "./errors.ts";
export { outboundFetch, unqueuedFetch, type OutboundFetch, type OutboundOptions, type OutboundResponse } from "./fetch.ts";
export { allowLoopback, isCallable } from "./target.ts";
