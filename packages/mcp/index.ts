export { answerMcp, type McpPlace } from "./endpoint.ts";
