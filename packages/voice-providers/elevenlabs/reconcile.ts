import { allDone, deadlineIn, errorFields, logWith } from "@vitaline/core";
import { allRows, keys, tenantStore, update, type ReconciledRow, type VoiceProviderDirectoryRow } from "@vitaline/store";
import type { PlatformContext } from "@vitaline/store/platform.ts";
import { reconcileProvider, type TakeCall } from "./reconcile-provider.ts";

const atOnce = 4;
/** One account's time in a run, so that those that are slow keep no other waiting. */
const perProviderMs = 45_000;
const neededMs = 10_000;
/** How far back a provider is asked that was never asked before, or not for long. */
const longestBackMs = 7 * 86_400_000;
/** Of a provider that is gone nothing stays behind. */
const keptSeconds = 30 * 86_400;

type Waiting = { provider: VoiceProviderDirectoryRow; known: ReconciledRow | undefined };

/**
 * Finds and records what no webhook has told: ElevenLabs sends each of its post-call webhooks once, and never again in
 * workspaces under HIPAA. Providers that waited longest come first, several side by side; one that fails keeps no other from
 * anything, and is asked again in the next run from where it stands.
 */
export async function reconcileElevenLabs(ctx: PlatformContext, take: TakeCall): Promise<void> {
  const [listed, reconciled] = await allDone([
    allRows<VoiceProviderDirectoryRow>(ctx.platform, keys.partitions.voice, { prefix: "PROVIDER#" }),
    allRows<ReconciledRow>(ctx.platform, keys.partitions.reconciled),
  ]);
  const knownById = new Map(reconciled.map((row) => [row.id, row]));
  const waiting = listed
    .filter(({ providerType, isActive }) => providerType === "elevenlabs" && isActive)
    .map((provider): Waiting => ({ provider, known: knownById.get(provider.id) }))
    .toSorted((a, b) => (a.known?.checkedAt ?? "").localeCompare(b.known?.checkedAt ?? ""));
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      if (ctx.deadline.remainingMs() < neededMs) return;
      await reconcileOne(ctx, next, take);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
}

async function reconcileOne(
  ctx: PlatformContext,
  { provider: { id, tenantId, createdAt }, known }: Waiting,
  take: TakeCall,
): Promise<void> {
  const { platform, ...own } = ctx;
  const log = logWith(ctx.log, { tenantId, providerId: id });
  const limited = { ...own, log, deadline: deadlineIn(Math.min(perProviderMs, ctx.deadline.remainingMs())) };
  const tenant = { ...limited, tenantId, store: tenantStore(limited, tenantId) };
  const now = ctx.clock();
  const note = async (change: Partial<ReconciledRow>): Promise<void> => {
    const expiresAt = Math.floor(now.getTime() / 1000) + keptSeconds;
    await platform.note(update(keys.reconciled(id), { set: { id, tenantId, checkedAt: now.toISOString(), expiresAt, ...change } }));
  };
  try {
    // First of all, so that one that ends the run does not begin the next.
    await note({});
    if (!(await tenant.store.get(keys.tenantConfig()))?.isActive) return;
    const from = Math.max(Date.parse(known?.until ?? createdAt), now.getTime() - longestBackMs);
    await reconcileProvider(tenant, id, new Date(from), take, (until) => note({ until: until.toISOString() }));
  } catch (error) {
    log("warn", "not reconciled", errorFields(error));
  }
}
