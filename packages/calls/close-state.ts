import { keys, update, type TenantContext } from "@vitaline/store";

/** How long a late tool call of an ended call is still known as one. */
const closedSeconds = 24 * 3600;

/** Ends the identity that was proven in a call. A call without a state gets a closed one: its id must not begin anew. */
export async function closeState(ctx: TenantContext, callKey: string): Promise<void> {
  const now = ctx.clock();
  await ctx.store.note(
    update(
      keys.callState(callKey),
      {
        set: { closedAt: now.toISOString(), expiresAt: Math.floor(now.getTime() / 1000) + closedSeconds },
        setOnce: { level: 0, tries: 0 },
      },
      { absent: ["closedAt"] },
    ),
  );
}
