import { PlatformCallId } from "@vitaline/contract";
import * as z from "zod/mini";

/** A variable as it was typed, ElevenLabs' own by its bare name, and what templates write for nothing. */
const unfilled = /\{\{|\}\}|^system__|^(none|null|undefined)$/i;

/**
 * What a platform puts where a tenant has typed a variable, trimmed. undefined for one that was never filled in, which comes alike in
 * every call: taken for an id it would make all callers one. Also for what is empty, longer than an id or no text.
 */
export function filledIn(value: unknown): string | undefined {
  const { data: text } = z.safeParse(PlatformCallId, value);
  return text === undefined || unfilled.test(text) ? undefined : text;
}
