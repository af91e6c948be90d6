import type { CallEvent } from "@vitaline/calls";
import * as z from "zod/mini";
import { id, word } from "../fields.ts";
import type { Turn } from "./conversation.ts";

const Result = z.object({ result_type: word, transfer_number: id });

type ToolResult = NonNullable<NonNullable<NonNullable<Turn>["tool_results"]>[number]>;

/** The structured result, or the same as text. */
const resultOf = ({ result, result_value: value = "" }: ToolResult): z.infer<typeof Result> => {
  if (result) return result;
  try {
    return z.safeParse(Result, JSON.parse(value)).data ?? {};
  } catch {
    return {};
  }
};

/**
 * Whether a conversation was put through to a person or another number, and to which: by the results of the platform's own
 * tool `transfer_to_number`. `wasUsed` is the platform's word for it where no results are told, as without a transcript.
 */
export function transferIn(transcript: readonly Turn[], wasUsed: boolean): Pick<CallEvent, "forwarded" | "forwardedTo"> {
  const tried = transcript
    .flatMap((turn) => turn?.tool_results ?? [])
    .flatMap((each) => (each ? [{ ...each, ...resultOf(each) }] : []))
    .filter(({ tool_name, result_type = "" }) => tool_name === "transfer_to_number" || result_type.startsWith("transfer_to_number"));
  const done = tried.findLast(
    ({ is_error, tool_has_been_called, result_type = "" }) => !is_error && tool_has_been_called !== false && !result_type.endsWith("error"),
  );
  if (done) return { forwarded: true, forwardedTo: done.transfer_number };
  return tried.length === 0 && wasUsed ? { forwarded: true } : {};
}
