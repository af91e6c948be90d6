import { PlatformCallId } from "@vitaline/contract";
import { AppError } from "@vitaline/core";
import * as z from "zod/mini";

/** Said where a request names no call: outside one there is nobody whose identity could be checked, so nothing runs. */
export const noCallSpeech = "I can't tell which call this request belongs to, so I can't do that right now.";

/**
 * A call's id as its platform gives it in `field`; undefined where there is none. AppError `invalid_request` for one that is
 * given and cannot be an id, because what is said of that call would be lost without a word.
 */
export function readCallId(field: string, given: unknown): string | undefined {
  if (given === undefined || given === null) return undefined;
  const { data, error } = z.safeParse(PlatformCallId, given);
  if (data !== undefined) return data;
  throw new AppError("invalid_request", "The message names its call by what cannot be an id.", {
    fields: { [field]: error?.issues[0]?.message ?? "Is not an id" },
  });
}
