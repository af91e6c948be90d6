import { keepEvent, type CallEvent, type Told } from "@vitaline/calls";
import { CallReport, FlatCallSummary } from "@vitaline/contract";
import { AppError, errorFields, isAppError } from "@vitaline/core";
import { keys, type TenantContext } from "@vitaline/store";
import { reportedCall, vapi, voicePlatforms } from "@vitaline/voice-providers";
import * as z from "zod/mini";
import { takeCallEvent } from "./take-call-event.ts";

/** How what comes from each is read, the first time and again. */
const decoders: Record<Told["from"], (body: unknown) => CallEvent | undefined> = {
  vapi: voicePlatforms.vapi.decodeCallEvent,
  retellai: voicePlatforms.retellai.decodeCallEvent,
  elevenlabs: voicePlatforms.elevenlabs.decodeCallEvent,
  openai: voicePlatforms.openai.decodeCallEvent,
  summary: (body) => vapi.decodeFlatSummary(z.parse(FlatCallSummary, body)),
  report: (body) => reportedCall(z.parse(CallReport, body)),
};

/**
 * Records what is said of a call; false when the body says nothing of one. Where that fails for no fault of the sender's, the event is
 * kept and tried again by events/probe, and all is well for the sender. AppError `invalid_request`, and `unavailable` when it cannot
 * even be kept: the platform sends it again.
 */
export async function takeOrKeep(ctx: TenantContext, from: Told["from"], body: unknown): Promise<boolean> {
  try {
    return await take(ctx, from, body);
  } catch (error) {
    if (isAppError(error, "invalid_request")) throw error;
    await keep(ctx, from, body, error);
    return true;
  }
}

/** Records an event that was kept, if it is one: an adapter that could not tell may have kept something else. AppErrors as recordCallEvent has them. */
export const takeAgain = async (ctx: TenantContext, { from, body }: Told): Promise<void> => void (await take(ctx, from, JSON.parse(body)));

const take = async (ctx: TenantContext, from: Told["from"], body: unknown): Promise<boolean> => {
  const event = decoders[from](body);
  if (event) await takeCallEvent(ctx, event);
  return event !== undefined;
};

/** Which call it is about; undefined where that is what was not understood. */
const callKeyIn = (from: Told["from"], body: unknown): string | undefined => {
  try {
    const event = decoders[from](body);
    return event && keys.callKeyOf(event.platform, event.callId);
  } catch {
    return undefined;
  }
};

const keep = async (ctx: TenantContext, from: Told["from"], body: unknown, why: unknown): Promise<void> => {
  try {
    // What is nested too deep can be read and not be written again
    await keepEvent(ctx, { from, body: JSON.stringify(body), callKey: callKeyIn(from, body) }, reasonOf(why));
    ctx.log("error", "event.kept", { ...errorFields(why), platform: from });
  } catch (cause) {
    ctx.log("error", "event.not_kept", { ...errorFields(cause), platform: from });
    throw new AppError("unavailable", "This could not be recorded just now. Please send it again.", { cause, retryAfterSeconds: 60 });
  }
};

/** Our code or the error's kind; never its text. */
export const reasonOf = (error: unknown): string => (isAppError(error) ? error.code : error instanceof Error ? error.name : typeof error);
