import { healthNow, probeFhirProvider, readFhirProviders } from "@vitaline/fhir-providers";
import { keys } from "@vitaline/store";
import type { PlatformContext } from "@vitaline/store/platform.ts";
import { countConnectionProbe } from "./days.ts";
import type { Probe } from "./run-probes.ts";

/** One probe for each EHR connection; one that is inactive is called by nobody, and so not by a probe. */
export async function fhirProbes(ctx: PlatformContext): Promise<Probe<PlatformContext>[]> {
  const providers = await readFhirProviders(ctx);
  return providers.map(({ row, health }) => ({
    id: row.id,
    lastCheckedAt: healthNow(row, health)?.checkedAt ?? "",
    run: (limited) => probeFhir(limited, row.id),
  }));
}

async function probeFhir(ctx: PlatformContext, id: string): Promise<void> {
  const row = await ctx.platform.get(keys.fhirProvider(id));
  if (!row?.isActive) return;
  const { status, ms } = await probeFhirProvider(ctx, row);
  await countConnectionProbe(ctx, id, status === "healthy", ms);
}
