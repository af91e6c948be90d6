import type { Conversation } from "./conversation.ts";

/** The platform's own words, as they begin. Source: conversations seen live, and what others have published of theirs. */
const known: readonly RegExp[] = [
  /^(end_call|transfer_to_number|transfer_to_agent|voicemail_detection) tool was called\.?/i,
  /^client disconnected/i,
  /^call ended by remote party/i,
  /^inactivity timeout/i,
  /^silence timeout/i,
  /exceeded maximum duration/i,
  /exceeds your quota limit/i,
  /^non[ -]?retryable error/i,
];
/** An analysis is kept whole or not at all, so that this must not fill it. */
const mostFreeText = 2000;
/** A word of an enumeration, known or new: no sentence and no number. */
const isWord = (text: string): boolean => /^[a-z]+([_-][a-z]+){0,5}$/.test(text);

/** A word of the platform's enumerations, or "other". */
export const plainWord = (word: string): string => (isWord(word) ? word : "other");

/**
 * Why a conversation ended: the platform's own words or its error's number, and its word for how it is where it says nothing more.
 * `termination_reason` is free text, which the agent's model may have written about the caller: beyond the known words it is "other",
 * and the text itself is for the sealed texts alone.
 */
export function endedReasonOf(
  { status = "done", metadata }: Conversation,
  callResult?: string,
): { endedReason: string; freeText?: string } {
  const { termination_reason: text, error } = metadata ?? {};
  if (text !== undefined) {
    const words = known.map((pattern) => pattern.exec(text)?.[0]).find((match) => match !== undefined);
    return words === undefined ? { endedReason: "other", freeText: text.slice(0, mostFreeText) } : { endedReason: words };
  }
  const code = error?.code;
  if (typeof code === "number" || typeof code === "string")
    return { endedReason: /^\d{1,5}$/.test(String(code)) ? `error-${code}` : "error" };
  return { endedReason: plainWord(callResult ?? status) };
}
