import type { VapiToolResults } from "@vitaline/contract";
import type { ToolAnswer } from "@vitaline/tools";
import * as z from "zod/mini";
import type { ToolRequest } from "../port.ts";

type VapiResult = VapiToolResults["results"][number] & { metadata?: Record<string, unknown> };

/**
 * Vapi's answer to `tool-calls`: one entry per tool call with its id and one line to say, as `error` when the tool could not
 * do it. What was found goes along as `metadata`, which Vapi hands to the tenant's own client. The older `function-call`
 * takes one `result`. Source: Vapi server SDK 2.0.1 ToolCallResult; a line break makes Vapi drop the result.
 */
export function encodeResults(
  { calls, refused, single }: ToolRequest,
  answers: readonly ToolAnswer[],
): { results: VapiResult[] } | { result: string } {
  const results: VapiResult[] = [
    ...calls.map(({ toolCallId = "", name }, index) => ({ toolCallId, name, ...said(answers[index]) })),
    ...refused.map(({ toolCallId, name, speech }) => ({ toolCallId, name, error: speech })),
  ];
  const [first] = results;
  return single ? { result: first?.result ?? first?.error ?? "" } : { results };
}

const Found = z.record(z.string(), z.unknown());

const said = (answer: ToolAnswer | undefined): Omit<VapiResult, "toolCallId" | "name"> => {
  const line = oneLine(answer?.speech ?? "I couldn't do that right now.");
  const { data: metadata } = z.safeParse(Found, answer?.output ?? (answer?.fields && { fields: answer.fields }));
  return { ...(answer?.ok ? { result: line } : { error: line }), ...(metadata ? { metadata } : {}) };
};

const oneLine = (text: string): string => text.replace(/\s+/gu, " ").trim();
