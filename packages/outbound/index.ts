export { OutboundError, allowLoopback, isCallable } from "./target.ts";
export { sendOverWebSocket } from "./websocket.ts";
export { outboundFetch, unqueuedFetch, type OutboundFetch, type OutboundOptions, type OutboundResponse } from "./fetch.ts";
