export { answerMcp, type McpEndpointRequest } from "./endpoint.ts";
