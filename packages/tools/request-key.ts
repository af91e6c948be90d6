import { digest } from "@vitaline/core";
import type { ToolCall } from "./define-tool.ts";

const sorted = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map(sorted)
    : value !== null && typeof value === "object"
      ? Object.fromEntries(
          Object.entries(value)
            .toSorted(([a], [b]) => (a < b ? -1 : 1))
            .map(([name, one]) => [name, sorted(one)]),
        )
      : value;

const inOrder = (args: unknown): string => JSON.stringify(sorted(args)) ?? "";

/** The same for a request that is sent again: by its arguments and, if the platform gives one, its id of the tool call. */
export const requestKeyOf = ({ callKey, name, toolCallId = "" }: ToolCall, args: unknown): string =>
  digest("tool-request", callKey, name, toolCallId, inOrder(args)).slice(0, 40);

/** Tells apart equal requests without an id, made for one patient and then for another on the same line. */
export const argsDigestOf = (args: unknown, patientId: string | undefined): string =>
  digest("tool-args", inOrder(args), patientId ?? "").slice(0, 24);
