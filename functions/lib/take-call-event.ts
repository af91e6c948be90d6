import { recordCallEvent, type CallEvent } from "@vitaline/calls";
import { VoiceProviderType } from "@vitaline/contract";
import { errorFields } from "@vitaline/core";
import { findOfficeByNumber } from "@vitaline/offices";
import type { TenantContext } from "@vitaline/store";
import { resolveAgent } from "@vitaline/voice-agents";

/** Records what a platform says of a call, in the office that answers it. AppErrors as recordCallEvent has them. */
export const takeCallEvent = async (ctx: TenantContext, event: CallEvent): Promise<void> =>
  void (await recordCallEvent(ctx, await inOffice(ctx, event)));

/** The event with the office that its agent answers for, else the one whose number was called. It costs reads alone, and no event is lost for want of them. */
export async function inOffice(ctx: TenantContext, event: CallEvent): Promise<CallEvent> {
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
  return event.agentId && platform ? (await resolveAgent(ctx, platform, event.agentId))?.officeId : undefined;
};

/** In a call that the office made, its number is the one that calls. */
const officeOfNumber = async (ctx: TenantContext, { direction, calledNumber, callerNumber }: CallEvent): Promise<string | undefined> => {
  const own = direction === "outbound" ? callerNumber : calledNumber;
  return own === undefined ? undefined : (await findOfficeByNumber(ctx, own))?.id;
};
