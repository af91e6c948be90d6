import { keepEvent, type CallEvent, type ReceivedEvent } from "@vitaline/calls";
import { CallReport, FlatCallSummary } from "@vitaline/contract";
import { AppError, errorFields, isAppError } from "@vitaline/core";
import { keys, type TenantContext } from "@vitaline/store";
import { callEventFromReport, decodeFlatSummary, loadVoicePlatform } from "@vitaline/voice-providers";
import * as z from "zod/mini";
import { recordInOffice } from "./record.ts";

type Source = ReceivedEvent["from"];

async function decode(source: Source, body: unknown): Promise<CallEvent | undefined> {
  if (source === "summary") return decodeFlatSummary(z.parse(FlatCallSummary, body));
  if (source === "report") return callEventFromReport(z.parse(CallReport, body));
  return (await loadVoicePlatform(source)).decodeCallEvent(body);
}

/**
 * Records an event on a call; false if the body contains none. If recording fails through no fault of the sender, the event is
 * kept, and events/retry retries it; the sender gets success. AppError `invalid_request`, or
 * `unavailable` when storing fails too: the platform then sends the event again.
 */
export async function ingestOrKeep(ctx: TenantContext, source: Source, body: unknown): Promise<boolean> {
  try {
    return await ingest(ctx, source, body);
  } catch (error) {
    if (isAppError(error, "invalid_request")) throw error;
    await keep(ctx, source, body, error);
    return true;
  }
}

/** Records a kept event, unless its body contains no event. AppErrors of recordCallEvent. */
export const reingest = async (ctx: TenantContext, { from, body }: ReceivedEvent): Promise<void> =>
  void (await ingest(ctx, from, JSON.parse(body)));

const ingest = async (ctx: TenantContext, source: Source, body: unknown): Promise<boolean> => {
  const event = await decode(source, body);
  if (event) await recordInOffice(ctx, event);
  return event !== undefined;
};

/** undefined when the body cannot be decoded. */
const callKeyIn = async (source: Source, body: unknown): Promise<string | undefined> => {
  try {
    const event = await decode(source, body);
    return event && keys.callKeyOf(event.platform, event.callId);
  } catch {
    return undefined;
  }
};

const keep = async (ctx: TenantContext, source: Source, body: unknown, reason: unknown): Promise<void> => {
  try {
    // JSON.stringify fails on bodies that are nested too deeply.
    await keepEvent(ctx, { from: source, body: JSON.stringify(body), callKey: await callKeyIn(source, body) }, reasonOf(reason));
    ctx.log("error", "event.kept", { ...errorFields(reason), platform: source });
  } catch (cause) {
    ctx.log("error", "event.not_kept", { ...errorFields(cause), platform: source });
    throw new AppError("unavailable", "This could not be recorded just now. Please send it again.", { cause, retryAfterSeconds: 60 });
  }
};

/** The error's code or class, never its message. */
export const reasonOf = (error: unknown): string => (isAppError(error) ? error.code : error instanceof Error ? error.name : typeof error);
