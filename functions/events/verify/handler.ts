import { chainsByAge, verifyRecent } from "@vitaline/audit";
import { Id } from "@vitaline/contract";
import { errorFields } from "@vitaline/core";
import type { PlatformContext } from "@vitaline/store/platform.ts";
import * as z from "zod/mini";
import { logBacklog } from "../../lib/context/backlog.ts";
import { eventContext, type EventInvocation } from "../../lib/context/platform-context.ts";
import { shareOut, startShare, type StartShare } from "../../lib/context/share-out.ts";

/** Enough to finish the chains that are being verified. */
const reserveMs = 60_000;
/** Most of a chain's time is waiting for its batches. */
const parallelChains = 4;
/** One invocation verifies as many in its time when each got a hundred batches. */
const shareSize = { perShare: 1000, maxShares: 4 };

/** A chain without a tenant is the platform's. The schedule names no chains. */
const Event = z.object({ chains: z.optional(z.array(z.object({ tenantId: z.optional(Id) }))) });
type Chains = NonNullable<z.infer<typeof Event>["chains"]>;

/** Every hour: verifies what each audit chain got since the last time, or starts other invocations with a share of the chains each. */
export const handler = async (event: unknown, invocation: EventInvocation): Promise<void> => {
  const { chains } = z.parse(Event, event);
  const ctx = eventContext(invocation, "verify");
  await verifyChains(ctx, chains ?? (await shareChains(ctx, startShare)));
};

/** Returns the chains that stay with this invocation. Alarms count how long ago the one that waits longest was verified. */
export async function shareChains(ctx: PlatformContext, start: StartShare, size = shareSize): Promise<Chains> {
  const all = await chainsByAge(ctx);
  logBacklog(
    ctx,
    "verify",
    all.flatMap(({ since }) => since ?? []),
  );
  const chains = all.map(({ tenantId }) => ({ tenantId }));
  return [...(await shareOut(ctx, chains, size, (some) => start({ chains: some })))];
}

/** In their order: what the time does not suffice for comes first in the next run. Alarms count `audit.damaged`. */
export async function verifyChains(ctx: PlatformContext, chains: Chains): Promise<void> {
  const queue = [...chains];
  let verified = 0;
  const work = async (): Promise<void> => {
    while (ctx.deadline.remainingMs() >= reserveMs) {
      const chain = queue.shift();
      if (!chain) return;
      if (await verifyChain(ctx, chain.tenantId)) verified += 1;
    }
  };
  await Promise.all(Array.from({ length: parallelChains }, work));
  if (queue.length > 0) ctx.log("warn", "verify.unfinished", { count: verified });
  else if (verified === chains.length) ctx.log("info", "verify.done", { count: verified });
}

/** Returns whether the chain could be verified, intact or not. */
async function verifyChain(ctx: PlatformContext, tenantId: string | undefined): Promise<boolean> {
  try {
    const flaws = await verifyRecent(ctx, tenantId);
    if (flaws.length > 0) ctx.log("error", "audit.damaged", { tenantId, count: flaws.length, code: flaws[0]?.kind });
    return true;
  } catch (error) {
    ctx.log("error", "verify.failed", { tenantId, ...errorFields(error) });
    return false;
  }
}
