import { X509Certificate } from "node:crypto";
import type { FhirHealth } from "@vitaline/contract";
import type { ConnectionTest } from "@vitaline/fhir";
import { type FhirCheck, type FhirHealthRow, type FhirProviderRow, keys, nextVersion, put } from "@vitaline/store";
import type { EhrRegistryContext } from "@vitaline/store/scoped.ts";
import { saveCapability } from "../ehr/server-behavior.ts";
import { connectionDigestOf } from "../provider/credentials.ts";

const maxAttempts = 8;

/** Stores the result of a connection test as the provider's health, without the patient step, and the capability of a healthy one. */
export async function saveHealth(ctx: EhrRegistryContext, row: FhirProviderRow, test: ConnectionTest): Promise<FhirHealthRow> {
  const found = healthOf(ctx, row, test);
  const history = await writeHealth(ctx, row.id, found);
  if (history && test.capability && found.status === "healthy") await saveCapability(ctx, row, test.capability);
  return history ? { ...found, history } : found;
}

function healthOf(
  ctx: EhrRegistryContext,
  row: FhirProviderRow,
  { steps: all, capability, certificateExpiry }: ConnectionTest,
): FhirHealthRow {
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
    connectionDigest: connectionDigestOf(row),
  };
}

/**
 * Adds a check to the history: one read, one write. The newest of concurrent checks determines the status, and all are in the history.
 * Returns the history; undefined, without writing, when the connection was changed meanwhile.
 */
async function writeHealth(ctx: EhrRegistryContext, id: string, found: FhirHealthRow): Promise<FhirCheck[] | undefined> {
  for (let attempt = 1; ; attempt++) {
    const [provider, before] = await ctx.platform.batchGet([keys.fhirProvider(id), keys.fhirHealth(id)]);
    if (provider && connectionDigestOf(provider) !== found.connectionDigest) return undefined;
    const history = appendCheck(before, found);
    const isNewest = before?.connectionDigest !== found.connectionDigest || before.checkedAt <= found.checkedAt;
    const { version, asRead } = before ? nextVersion(before, undefined) : { version: 1, asRead: { exists: false } };
    const health = { ...(isNewest ? found : before), history, version };
    // The last attempt overwrites: losing a check from the history is better than losing the result.
    const written = await ctx.platform.writeUnaudited(put(keys.fhirHealth(id), health, attempt < maxAttempts ? asRead : undefined));
    if (written !== undefined) return history;
  }
}

const ownCertificateExpiry = ({ certificateData }: FhirProviderRow): string | undefined =>
  certificateData === undefined ? undefined : new Date(new X509Certificate(certificateData).validTo).toISOString();

const earliest = (...instants: (string | undefined)[]): string | undefined =>
  instants.filter((instant) => instant !== undefined).toSorted()[0];

/** About two hours of scheduled checks. */
const maxHistory = 20;

const checkOf = ({ checkedAt, status, ms }: FhirHealthRow): FhirCheck => [Date.parse(checkedAt), status === "healthy", ms];

const historyOf = (row: FhirHealthRow): FhirCheck[] => row.history ?? [checkOf(row)];

/** The history with one more check, oldest first; a changed connection starts a new history. */
export const appendCheck = (before: FhirHealthRow | undefined, found: FhirHealthRow): FhirCheck[] => {
  const check = checkOf(found);
  const earlier = before?.connectionDigest === found.connectionDigest ? historyOf(before) : [];
  // A retried write may already have stored this check.
  const others = earlier.filter((one) => one.some((value, at) => value !== check[at]));
  return [...others, check].toSorted(([one], [other]) => one - other).slice(-maxHistory);
};

export const describeHistory = (row: FhirHealthRow | undefined): FhirHealth["history"] =>
  (row ? historyOf(row) : []).map(([atMs, isHealthy, ms]) => ({
    at: new Date(atMs).toISOString(),
    status: isHealthy ? "healthy" : "unhealthy",
    ms,
  }));

/** The health row, unless the connection has changed since. */
export const currentHealth = (row: FhirProviderRow, health: FhirHealthRow | undefined): FhirHealthRow | undefined =>
  health?.connectionDigest === connectionDigestOf(row) ? health : undefined;
