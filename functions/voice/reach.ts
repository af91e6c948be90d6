import { callerMark, newCallToken } from "@vitaline/api-keys";
import { recordCallEvent } from "@vitaline/calls";
import type { TenantContext } from "@vitaline/store";
import { callerOf } from "@vitaline/tools";
import { connectionTo, type Reach } from "@vitaline/voice-providers";

/** The way to the platform of this voice provider of the tenant's. */
export const reachTo = (ctx: TenantContext, voiceProviderId: string): Reach => ({
  origin: ctx.origin,
  connection: () => connectionTo(ctx, voiceProviderId),
  callToken({ platform, callId, callerNumber }, { agent, office }) {
    const caller = callerOf(callerNumber === undefined ? {} : { callerNumber });
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
});
