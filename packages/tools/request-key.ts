import { digest } from "@vitaline/core";
import type { ToolCall } from "./define-tool.ts";

const sorted = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map(sorted)
    : value !== null && typeof value === "object"
      ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([name, one]) => [name, sorted(one)]))
      : value;

const inOrder = (args: unknown): string => JSON.stringify(sorted(args)) ?? "";

/** The same for a request that is sent again: by the platform's id of the tool call, else by its arguments. */
export const requestKeyOf = ({ callKey, name, toolCallId }: ToolCall, args: unknown): string =>
  digest("tool-request", callKey, name, ...(toolCallId ? ["id", toolCallId] : ["args", inOrder(args)])).slice(0, 40);

/** Tells apart two requests under one id: other arguments, or another patient on the line by now. */
export const argsDigestOf = (args: unknown, patientId: string | undefined): string => digest("tool-args", inOrder(args), patientId ?? "").slice(0, 24);
