import { awaitAllThenThrow, deadlineIn, errorFields, isAppError, type Context } from "@vitaline/core";
import { currentHealth, probeFhirProvider, readFhirProviders } from "@vitaline/fhir-providers";
import { allRows, keys, put, remove, tenantStore, type VoiceHealthRow, type VoiceProviderDirectoryRow } from "@vitaline/store";
import type { ScopedContext } from "@vitaline/store/scoped.ts";
import { probeVoiceProvider } from "@vitaline/voice-providers";
import { countConnectionProbe } from "./health-days.ts";

/** The results of probes, and the connections that they probe. */
export type ProbeContext = ScopedContext<"health" | "directory" | "ehr">;

/** A connection to probe. With a tenant it is a voice provider, else an EHR. */
export type Connection = { id: string; tenantId?: string | undefined };

/** `lastCheckedAt`: "" if the connection was never probed. */
export type Probe<C extends Context> = Connection & { lastCheckedAt: string; run(ctx: C): Promise<void> };

export const probeOf = ({ id, tenantId }: Connection, lastCheckedAt = ""): Probe<ProbeContext> => ({
  ...{ id, tenantId, lastCheckedAt },
  run: (ctx) => (tenantId === undefined ? probeFhir(ctx, id) : probeVoice(ctx, tenantId, id)),
});

const concurrency = 8;
const perProbeMs = 8000;
const reserveMs = 15_000;

/**
 * Runs probes in parallel, the longest unprobed first, each with its own deadline, so that servers that hang do not block the others.
 * Probes that do not fit into this run come first in the next one. A probe that throws is logged.
 */
export async function runProbes<C extends Context>(ctx: C, probes: readonly Probe<C>[]): Promise<void> {
  const waiting = probes.toSorted((a, b) => (a.lastCheckedAt < b.lastCheckedAt ? -1 : a.lastCheckedAt > b.lastCheckedAt ? 1 : 0));
  const work = async (): Promise<void> => {
    for (let probe = waiting.shift(); probe; probe = waiting.shift()) {
      if (ctx.deadline.remainingMs() < perProbeMs + reserveMs) return;
      await probe
        .run({ ...ctx, deadline: deadlineIn(perProbeMs) })
        .catch((error: unknown) => ctx.log("warn", "probe.failed", { providerId: probe.id, ...errorFields(error) }));
    }
  };
  await Promise.all(Array.from({ length: concurrency }, work));
}

/** One probe per active EHR connection. */
export async function fhirProbes(ctx: ProbeContext): Promise<Probe<ProbeContext>[]> {
  const providers = await readFhirProviders(ctx);
  return providers
    .filter(({ row }) => row.isActive)
    .map(({ row, health }) => probeOf({ id: row.id }, currentHealth(row, health)?.checkedAt));
}

async function probeFhir(ctx: ProbeContext, id: string): Promise<void> {
  const row = await ctx.platform.get(keys.fhirProvider(id));
  if (!row?.isActive) return;
  const { status, ms } = await probeFhirProvider(ctx, row);
  await countConnectionProbe(ctx, id, status === "healthy", ms);
}

/** Of a result that is neither followed by another nor removed. */
const keptSeconds = 7 * 86_400;

/**
 * One probe per active voice provider of all tenants: it requests one agent with the provider's API key. Removes the last results of
 * those that are inactive or deleted, which ends their items in the list of work.
 */
export async function voiceProbes(ctx: ProbeContext): Promise<Probe<ProbeContext>[]> {
  const [listed, known] = await awaitAllThenThrow([
    allRows<VoiceProviderDirectoryRow>(ctx.platform, keys.partitions.voice, { prefix: "PROVIDER#" }),
    allRows<VoiceHealthRow>(ctx.platform, keys.partitions.voiceHealth),
  ]);
  const active = listed.filter(({ isActive }) => isActive);
  const activeIds = new Set(active.map(({ id }) => id));
  await removeResults(
    ctx,
    known.filter(({ id }) => !activeIds.has(id)),
  );
  const checkedAt = new Map(known.map((health) => [health.id, health.checkedAt]));
  return active.map(({ id, tenantId }) => probeOf({ id, tenantId }, checkedAt.get(id)));
}

/** What cannot be removed now is removed by the next run. A newer result stays: its provider was activated meanwhile. */
async function removeResults(ctx: ProbeContext, ended: readonly VoiceHealthRow[]): Promise<void> {
  for (const { id, checkedAt } of ended) {
    if (ctx.deadline.remainingMs() < perProbeMs + reserveMs) return;
    await ctx.platform
      .writeUnaudited(remove(keys.voiceHealth(id), { equals: { checkedAt } }))
      .catch((error: unknown) => ctx.log("warn", "health.not_removed", { providerId: id, ...errorFields(error) }));
  }
}

async function probeVoice(limited: ProbeContext, tenantId: string, id: string): Promise<void> {
  const { platform, ...ctx } = limited;
  const inTenant = { ...ctx, tenantId, store: tenantStore(ctx, tenantId) };
  const provider = await inTenant.store.get(keys.voiceProvider(id));
  if (!provider?.isActive) return;
  const started = performance.now();
  const result = await probeVoiceProvider(inTenant, id).then(() => ({ status: "healthy" as const }), statusOfError);
  const ms = Math.round(performance.now() - started);
  const now = ctx.clock();
  await platform.writeUnaudited(
    put(keys.voiceHealth(id), {
      id,
      tenantId,
      ...result,
      ms,
      checkedAt: now.toISOString(),
      version: provider.version ?? 1,
      expiresAt: Math.floor(now.getTime() / 1000) + keptSeconds,
    }),
  );
  await countConnectionProbe(limited, id, result.status === "healthy", ms);
}

/** Only errors of the voice platform count; an internal error is rethrown. */
function statusOfError(error: unknown): Pick<VoiceHealthRow, "status" | "code"> {
  if (isAppError(error, "voice_platform_rate_limited")) return { status: "warning", code: error.code };
  if (isAppError(error, "voice_platform_auth", "voice_platform_unavailable", "voice_platform_invalid", "outbound_refused"))
    return { status: "error", code: error.code };
  throw error;
}
