import { X509Certificate } from "node:crypto";
import type { FhirHealth } from "@vitaline/contract";
import type { ConnectionTest } from "@vitaline/fhir";
import { type FhirCheck, type FhirHealthRow, type FhirProviderRow, keys, nextVersion, put } from "@vitaline/store";
import type { PlatformContext } from "@vitaline/store/platform.ts";
import { saveCapability } from "../ehr/capability.ts";
import { connectionDigest } from "../provider/client-registration.ts";

/** Checks of one connection that end at the same time make way for each other so often. */
const maxTries = 8;

/** Keeps what a trial found of a connection; whether a certain patient is there says nothing about it. */
export async function saveHealth(ctx: PlatformContext, row: FhirProviderRow, trial: ConnectionTest): Promise<FhirHealthRow> {
  const found = foundIn(ctx, row, trial);
  const history = await keepAmongOthers(ctx, row.id, found);
  if (history && trial.capability && found.status === "healthy") await saveCapability(ctx, row, trial.capability);
  return history ? { ...found, history } : found;
}

function foundIn(ctx: PlatformContext, row: FhirProviderRow, { steps: all, capability, certificateExpiry }: ConnectionTest): FhirHealthRow {
  const steps = all.filter(({ step }) => step !== "patient");
  const failed = steps.find(({ ok }) => !ok);
  return {
    status: failed ? "unhealthy" : "healthy",
    checkedAt: ctx.clock().toISOString(),
    ms: steps.reduce((sum, { ms }) => sum + ms, 0),
    code: failed?.code,
    warning: steps.find(({ ok, code }) => ok && code)?.code,
    software: capability?.software,
    fhirVersion: capability?.fhirVersion,
    certificateExpiry: earliest(certificateExpiry, ownCertificateExpiry(row)),
    connection: connectionDigest(row),
  };
}

/**
 * Writes a check behind those before it: one read, one write. Where others end at the same time, all stand in the history and the
 * newest is the one that counts. Answers the history; undefined where the connection was changed meanwhile: the check says nothing of
 * it as it is now, and is not kept.
 */
async function keepAmongOthers(ctx: PlatformContext, id: string, found: FhirHealthRow): Promise<FhirCheck[] | undefined> {
  for (let tries = 1; ; tries++) {
    const [provider, before] = await ctx.platform.batchGet([keys.fhirProvider(id), keys.fhirHealth(id)]);
    if (provider && connectionDigest(provider) !== found.connection) return undefined;
    const history = appendCheck(before, found);
    const isNewest = before?.connection !== found.connection || before.checkedAt <= found.checkedAt;
    const { version, asRead } = before ? nextVersion(before, undefined) : { version: 1, asRead: { exists: false } };
    const health = { ...(isNewest ? found : before), history, version };
    // What is still overtaken then is written all the same: a mark less in the history is better than no result.
    const written = await ctx.platform.note(put(keys.fhirHealth(id), health, tries < maxTries ? asRead : undefined));
    if (written !== undefined) return history;
  }
}

const ownCertificateExpiry = ({ certificateData }: FhirProviderRow): string | undefined =>
  certificateData === undefined ? undefined : new Date(new X509Certificate(certificateData).validTo).toISOString();

const earliest = (...instants: (string | undefined)[]): string | undefined =>
  instants.filter((instant) => instant !== undefined).toSorted()[0];

/** So many checks are kept; where nobody asks for more, that is nearly the last two hours. */
const mostChecks = 20;

const checkIn = ({ checkedAt, status, ms }: FhirHealthRow): FhirCheck => [Date.parse(checkedAt), status === "healthy", ms];

/** A row from before there were histories knows its own check. */
const historyIn = (row: FhirHealthRow): FhirCheck[] => row.history ?? [checkIn(row)];

/** The last checks with one more among them, oldest first; those of a connection before it was changed are of another one. */
export const appendCheck = (before: FhirHealthRow | undefined, found: FhirHealthRow): FhirCheck[] => {
  const check = checkIn(found);
  const earlier = before?.connection === found.connection ? historyIn(before) : [];
  // A write that was done and not heard of is tried again: the check is there already.
  const others = earlier.filter((one) => one.some((value, at) => value !== check[at]));
  return [...others, check].toSorted(([one], [other]) => one - other).slice(-mostChecks);
};

/** The same in the contract's words; nothing of a connection that was never checked. */
export const describeHistory = (row: FhirHealthRow | undefined): FhirHealth["history"] =>
  (row ? historyIn(row) : []).map(([atMs, isHealthy, ms]) => ({
    at: new Date(atMs).toISOString(),
    status: isHealthy ? "healthy" : "unhealthy",
    ms,
  }));

/** What the last check found, if it was of the connection as it is now. */
export const healthNow = (row: FhirProviderRow, health: FhirHealthRow | undefined): FhirHealthRow | undefined =>
  health?.connection === connectionDigest(row) ? health : undefined;
