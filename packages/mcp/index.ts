export { answerMcp, type McpEndpointRequest } from "./endpoint.ts";
export { createHandle, newCallId } from "./call.ts";
export { modelText } from "./result.ts";
