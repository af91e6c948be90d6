import { X509Certificate } from "node:crypto";
import type { FhirHealth } from "@vitaline/contract";
import { allDone, logWith } from "@vitaline/core";
import { tryConnection, type ConnectionStep, type ConnectionTrial } from "@vitaline/fhir";
import { keys, put, type FhirHealthRow, type FhirProviderRow } from "@vitaline/store";
import type { PlatformContext } from "@vitaline/store/platform.ts";
import { placeholderIn } from "./addresses.ts";
import { asFhirHealth } from "./as-fhir-provider.ts";
import { tokenFor } from "./access-token.ts";
import { keepCapability } from "./capability.ts";
import { isPair } from "./credentials.ts";
import { readFhirProvider, readFhirProviders } from "./read-provider.ts";
import { connectionDigest, grantOf, isAuthorized, registrationOf } from "./registration.ts";

/** Vendors whose addresses hold the id of a clinic. */
const withTenantPath = new Set<FhirProviderRow["providerType"]>(["cerner", "allscripts"]);

/**
 * Walks a provider's connection as packages/fhir describes. Nobody is called while an address holds a placeholder, the key is not the
 * certificate's, or nobody has let us in who has to.
 */
export async function tryProvider(ctx: PlatformContext, row: FhirProviderRow, patientId?: string): Promise<ConnectionTrial> {
  if (placeholderIn(row)) return untried("address", "placeholder_left");
  if (!(await isPair(row))) return untried("token", "key_mismatch");
  const bySomebody = grantOf(row) === "authorization_code";
  if (bySomebody && !isAuthorized(row)) return untried("token", "not_authorized");
  const own = { ...ctx, log: logWith(ctx.log, { providerId: row.id }) };
  const { fhirVersion, providerType } = row;
  const signedIn = bySomebody ? () => tokenFor(own, row, []) : undefined;
  const hasTenantPath = withTenantPath.has(providerType);
  return tryConnection(own, { ...registrationOf(own, row), fhirVersion, hasTenantPath, signedIn }, patientId);
}

const untried = (step: ConnectionStep["step"], code: ConnectionStep["code"]): ConnectionTrial => ({
  steps: [{ step, ok: false, ms: 0, code }],
});

/** Keeps what a trial found of a connection; whether a certain patient is there says nothing about it. */
export async function keepHealth(ctx: PlatformContext, row: FhirProviderRow, trial: ConnectionTrial): Promise<FhirHealthRow> {
  const steps = trial.steps.filter(({ step }) => step !== "patient");
  const failed = steps.find(({ ok }) => !ok);
  const health: FhirHealthRow = {
    status: failed ? "unhealthy" : "healthy",
    checkedAt: ctx.clock().toISOString(),
    ms: steps.reduce((sum, { ms }) => sum + ms, 0),
    code: failed?.code,
    warning: steps.find(({ ok, code }) => ok && code)?.code,
    software: trial.capability?.software,
    fhirVersion: trial.capability?.fhirVersion,
    certificateExpiry: earliest(trial.certificateExpiry, ownCertificateExpiry(row)),
    connection: connectionDigest(row),
  };
  await allDone([
    ctx.platform.note(put(keys.fhirHealth(row.id), health)),
    trial.capability && !failed ? keepCapability(ctx, row, trial.capability) : undefined,
  ]);
  return health;
}

const ownCertificateExpiry = ({ certificateData }: FhirProviderRow): string | undefined =>
  certificateData === undefined ? undefined : new Date(new X509Certificate(certificateData).validTo).toISOString();

const earliest = (...instants: (string | undefined)[]): string | undefined =>
  instants.filter((instant) => instant !== undefined).toSorted()[0];

/**
 * Tries a connection without reading a patient: the address, its TLS certificate, the server's statement, and a token, a fresh one
 * unless it is of somebody who has let us in. Writes the provider's health row and answers it. Never throws for the other side's faults.
 */
export const probeFhirProvider = async (ctx: PlatformContext, row: FhirProviderRow): Promise<FhirHealthRow> =>
  keepHealth(ctx, row, await tryProvider(ctx, row));

/** A probe that somebody asked for. AppError `not_found`. */
export async function checkFhirProvider(ctx: PlatformContext, id: string): Promise<FhirHealth> {
  const row = await readFhirProvider(ctx, id);
  return asFhirHealth(row, await probeFhirProvider(ctx, row));
}

/** What the last checks found of all providers; one that was never checked, or was changed since, is unknown. */
export const fhirHealthStatus = async (ctx: PlatformContext): Promise<{ providers: FhirHealth[] }> => ({
  providers: (await readFhirProviders(ctx)).map(({ row, health }) => asFhirHealth(row, health)),
});
