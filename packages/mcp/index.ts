export { answerMcp, type McpPlace } from "./answer.ts";
