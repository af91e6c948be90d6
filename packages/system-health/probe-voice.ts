import { allDone, isAppError } from "@vitaline/core";
import { allRows, keys, put, tenantStore, type VoiceHealthRow, type VoiceProviderDirectoryRow } from "@vitaline/store";
import type { PlatformContext } from "@vitaline/store/platform.ts";
import { tryVoiceProvider } from "@vitaline/voice-providers";
import { countConnectionProbe } from "./days.ts";
import type { Probe } from "./run-probes.ts";

/** A result that nobody renews is of no use; a provider that is gone leaves nothing behind. */
const keptSeconds = 7 * 86_400;

/** One probe for each active voice provider of all tenants: its platform is asked, with its key, for one agent. */
export async function voiceProbes(ctx: PlatformContext): Promise<Probe<PlatformContext>[]> {
  const [listed, known] = await allDone([
    allRows<VoiceProviderDirectoryRow>(ctx.platform, keys.partitions.voice, { prefix: "PROVIDER#" }),
    allRows<VoiceHealthRow>(ctx.platform, keys.partitions.voiceHealth),
  ]);
  const checkedAt = new Map(known.map((health) => [health.id, health.checkedAt]));
  return listed
    .filter(({ isActive }) => isActive)
    .map(({ id, tenantId }) => ({ id, lastCheckedAt: checkedAt.get(id) ?? "", run: (limited) => probeVoice(limited, tenantId, id) }));
}

async function probeVoice(limited: PlatformContext, tenantId: string, id: string): Promise<void> {
  const { platform, ...ctx } = limited;
  const inTenant = { ...ctx, tenantId, store: tenantStore(ctx, tenantId) };
  const provider = await inTenant.store.get(keys.voiceProvider(id));
  if (!provider?.isActive) return;
  const started = performance.now();
  const found = await tryVoiceProvider(inTenant, id).then(() => ({ status: "healthy" as const }), meaningOf);
  const ms = Math.round(performance.now() - started);
  const now = ctx.clock();
  await platform.note(
    put(keys.voiceHealth(id), {
      id,
      tenantId,
      ...found,
      ms,
      checkedAt: now.toISOString(),
      version: provider.version ?? 1,
      expiresAt: Math.floor(now.getTime() / 1000) + keptSeconds,
    }),
  );
  await countConnectionProbe(limited, id, found.status === "healthy", ms);
}

/** Only what the platform answered, or did not, says how it is: a failure of our own says nothing of it and is thrown on. */
function meaningOf(error: unknown): Pick<VoiceHealthRow, "status" | "code"> {
  if (isAppError(error, "voice_platform_rate_limited")) return { status: "warning", code: error.code };
  if (isAppError(error, "voice_platform_auth", "voice_platform_unavailable", "voice_platform_invalid", "outbound_refused"))
    return { status: "error", code: error.code };
  throw error;
}
