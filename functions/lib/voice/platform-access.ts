import { callerMark, newCallToken } from "@vitaline/api-keys";
import { recordCallEvent } from "@vitaline/calls";
import type { TenantContext } from "@vitaline/store";
import { callerNumberOf } from "@vitaline/tools";
import { connectionTo, type PlatformAccess } from "@vitaline/voice-providers";

/** Access to the platform of one voice provider. */
export const platformAccess = (ctx: TenantContext, voiceProviderId: string): PlatformAccess => ({
  origin: ctx.origin,
  connection: () => connectionTo(ctx, voiceProviderId),
  callToken({ platform, callId, callerNumber }, { agent, office }) {
    const caller = callerNumberOf(callerNumber === undefined ? {} : { callerNumber });
    return newCallToken(
      {
        tenantId: ctx.tenantId,
        ...(office ? { officeId: office.id } : {}),
        voiceProviderId,
        platform,
        callId,
        agentId: agent.externalAgentId,
        ...(caller === undefined ? {} : { callerMark: callerMark(ctx.tenantId, caller) }),
      },
      ctx.clock(),
    );
  },
  record: (event) => recordCallEvent(ctx, event),
  log: ctx.log,
});
