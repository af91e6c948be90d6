import { recordCallEvent, type CallEvent } from "@vitaline/calls";
import { VoiceProviderType } from "@vitaline/contract";
import { errorFields } from "@vitaline/core";
import { findOfficeIdByNumber } from "@vitaline/offices";
import type { TenantContext } from "@vitaline/store";
import { findActiveAssignment } from "@vitaline/voice-agents";

/** Records a platform's event on a call, with the office of the call. AppErrors of recordCallEvent. */
export const recordInOffice = async (ctx: TenantContext, event: CallEvent): Promise<void> =>
  void (await recordCallEvent(ctx, await withOffice(ctx, event)));

/** Adds the office of the event's agent, or of the office's number. If reading it fails, the event is returned unchanged. */
export async function withOffice(ctx: TenantContext, event: CallEvent): Promise<CallEvent> {
  if (event.officeId !== undefined) return event;
  try {
    const officeId = (await officeOfAgent(ctx, event)) ?? (await officeOfNumber(ctx, event));
    return officeId === undefined ? event : { ...event, officeId };
  } catch (error) {
    ctx.log("warn", "call.office_unknown", { ...errorFields(error), platform: event.platform });
    return event;
  }
}

const officeOfAgent = async (ctx: TenantContext, event: CallEvent): Promise<string | undefined> => {
  const { data: platform } = VoiceProviderType.safeParse(event.platform);
  return event.agentId && platform ? (await findActiveAssignment(ctx, platform, event.agentId))?.officeId : undefined;
};

const officeOfNumber = async (ctx: TenantContext, { direction, calledNumber, callerNumber }: CallEvent): Promise<string | undefined> => {
  const officeNumber = direction === "outbound" ? callerNumber : calledNumber;
  return officeNumber === undefined ? undefined : findOfficeIdByNumber(ctx, officeNumber);
};
