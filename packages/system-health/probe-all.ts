import { errorFields } from "@vitaline/core";
import type { PlatformContext } from "@vitaline/store/platform.ts";
import { countConnections } from "./count-connections.ts";
import { fhirProbes } from "./probe-fhir.ts";
import { probeParts, type AskApi } from "./probe-parts.ts";
import { voiceProbes } from "./probe-voice.ts";
import { recordProbe } from "./record.ts";
import { runProbes, type Probe } from "./run-probes.ts";

/** Probes the platform's own parts first, then every connection to others; each result is kept as soon as it is there, and all are counted. */
export async function probeAll(ctx: PlatformContext, askApi: AskApi): Promise<void> {
  await recordProbe(ctx, await probeParts(ctx, askApi));
  const probes = await Promise.all([listed(ctx, fhirProbes), listed(ctx, voiceProbes)]);
  await runProbes(ctx, probes.flat());
  await countConnections(ctx);
}

/** One kind of connection that cannot be listed keeps the other from nothing. */
const listed = async (
  ctx: PlatformContext,
  list: (ctx: PlatformContext) => Promise<Probe<PlatformContext>[]>,
): Promise<Probe<PlatformContext>[]> => {
  try {
    return await list(ctx);
  } catch (error) {
    ctx.log("error", "connections not listed", errorFields(error));
    return [];
  }
};
