import { digest } from "@vitaline/core";
import type { CallStateRow } from "@vitaline/store";
import type { Identifier } from "fhir/r4.js";
import type { ToolCall } from "./define-tool.ts";

/** Marks what a request has made, so that it can be found again by whoever has lost the answer. */
export const requestSystem = "urn:vitaline:tool-request";

/** The key of the request that has made a resource, if one of ours has. */
export const requestOf = ({ identifier = [] }: { identifier?: Identifier[] }): string | undefined =>
  identifier.find(({ system }) => system === requestSystem)?.value;

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

/** The patient to whom a call is bound, if it is. */
export type Bound = Pick<CallStateRow, "patientId" | "providerId">;

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
