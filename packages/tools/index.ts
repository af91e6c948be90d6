export type { Annotations, Effect, Level, Tool, ToolAnswer, ToolCall, ToolContext } from "./define-tool.ts";
export { resolveUnknown } from "./resolve-unknown.ts";
export { runTool } from "./run-tool.ts";
export { runTools } from "./run-tools.ts";
export { sentences } from "./sentences.ts";
export { tools } from "./tools.ts";
