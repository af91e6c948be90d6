import { digest } from "@vitaline/core";
import type { ToolCall } from "../../sdk/context.ts";
import type { Bound } from "../../patient/binding.ts";

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

/**
 * Stands for one wish: where the same words were said anew, after the request that had fulfilled them, it is another wish than before,
 * and what is made of it carries another mark.
 */
export const wishKeyOf = (requestKey: string, after: string | undefined): string =>
  after === undefined ? requestKey : digest("tool-wish", requestKey, after).slice(0, 40);

/**
 * The same for a request that is sent again: by its arguments, by the platform's id of the tool call, if there is one, and by the
 * patient of whom it is. Without that the second patient on one line would get what was done for the first.
 */
export const requestKeyOf = (
  { callKey, name, toolCallId = "" }: ToolCall,
  args: unknown,
  { patientId, providerId = "" }: Bound = {},
): string =>
  digest("tool-request", callKey, name, toolCallId, inOrder(args), ...(patientId === undefined ? [] : [providerId, patientId])).slice(
    0,
    40,
  );
