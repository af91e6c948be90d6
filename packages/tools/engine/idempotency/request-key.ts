import { sha256In } from "@vitaline/core";
import type { ToolCall } from "../../sdk/context.ts";
import type { CallPatient } from "../../patient/call-patient.ts";

const sortKeys = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map(sortKeys)
    : value !== null && typeof value === "object"
      ? Object.fromEntries(
          Object.entries(value)
            .toSorted(([a], [b]) => (a < b ? -1 : 1))
            .map(([name, one]) => [name, sortKeys(one)]),
        )
      : value;

const canonicalJson = (args: unknown): string => JSON.stringify(sortKeys(args)) ?? "";

/**
 * What marks the resources of an execution at the EHR: the request key, or another one if the caller says the same words again after the
 * first request was fulfilled.
 */
export const executionKeyOf = (requestKey: string, repeatedRequestId: string | undefined): string =>
  repeatedRequestId === undefined ? requestKey : sha256In("tool-request-repeat", requestKey, repeatedRequestId).slice(0, 40);

/**
 * Identifies a retried request: its call, tool, tool call id, arguments, verified patient and who speaks for them. Without the patient, the
 * second patient on a line would get the first one's answer; without the speaker, one who may know less would get another's.
 */
export const requestKeyOf = (
  { callKey, name, toolCallId = "" }: ToolCall,
  args: unknown,
  { patientId, providerId = "", actsFor }: CallPatient = {},
): string => {
  const caller = patientId === undefined ? [] : [providerId, patientId, ...(actsFor ? [actsFor.speakerHash] : [])];
  return sha256In("tool-request", callKey, name, toolCallId, canonicalJson(args), ...caller).slice(0, 40);
};
