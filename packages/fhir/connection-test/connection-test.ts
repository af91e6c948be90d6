import { isAppError } from "@vitaline/core";
import type { OutboundResponse } from "@vitaline/outbound";
import type { Patient } from "fhir/r4.js";
import { availableAlgorithms, selectAlgorithm } from "../auth/client-assertion.ts";
import { type Discovery, fetchMetadata, fetchSmartConfiguration, parseOauthUris, parseSmartConfiguration } from "../auth/discovery.ts";
import { scopesCover } from "../auth/scopes.ts";
import { type ClientRegistration, tokenUrlFor, tryTokenRequest } from "../auth/token.ts";
import { type CapabilityStore, type CapabilitySummary, parseFhirVersion, parseStatement } from "../client/capability.ts";
import { createFhirClient } from "../client/client.ts";
import type { FhirContext } from "../http/exchange.ts";
import type { FhirVersion } from "../versions/convert/version.ts";
import { type ConnectionFault, networkFault, responseFault, tenantFault } from "./connection-fault.ts";
import { tokenFault } from "./token-fault.ts";

export type ConnectionTestStepName = "address" | "discovery" | "token" | "capability" | "patient";
/** A `code` with `ok` is a warning. */
export type ConnectionTestStep = { step: ConnectionTestStepName; ok: boolean; ms: number; code?: ConnectionFault };
export type ConnectionTest = {
  steps: ConnectionTestStep[];
  patient?: Patient;
  certificateExpiry?: string;
  capability?: CapabilitySummary;
};

export type TestedClient = ClientRegistration & {
  fhirVersion: FhirVersion;
  /** The URL contains a tenant's id, so a 404 may mean that there is no such tenant. */
  hasTenantPath?: boolean;
  /** For the authorization_code grant: the user's token. AppError `ehr_auth` when there is none. */
  userToken?: () => Promise<ScopedToken>;
};

/** The second is DSTU2's media type. https://hl7.org/fhir/DSTU2/http.html#mime-type */
const fhirJson = { Accept: "application/fhir+json, application/json+fhir;q=0.9" };

/** `granted`: the token's scopes, where the server names them. */
type ScopedToken = { accessToken: string; granted?: string | undefined };

/** Ends the test at this step. */
class StepFailure extends Error {
  readonly fault: ConnectionFault;
  constructor(fault: ConnectionFault, cause?: unknown) {
    super(fault, { cause });
    this.fault = fault;
  }
}

/**
 * Runs the steps of a patient's call: reach the server, discover its token URL, get a token, check the FHIR version, and read a patient if
 * an id is given. Uses no caches, except `userToken`. Ends at the first failing step; throws only for our own faults.
 */
export async function runConnectionTest(ctx: FhirContext, client: TestedClient, patientId?: string): Promise<ConnectionTest> {
  const { baseUrl } = client;
  const test: ConnectionTest = { steps: [] };
  const step = async <T>(
    name: ConnectionTestStepName,
    run: () => Promise<T>,
    warn?: (result: T) => ConnectionFault | undefined,
  ): Promise<T> => {
    const startedMs = performance.now();
    const record = (ok: boolean, code?: ConnectionFault) =>
      test.steps.push({ step: name, ok, ms: Math.round(performance.now() - startedMs), ...(code && { code }) });
    try {
      const result = await run();
      record(true, warn?.(result));
      return result;
    } catch (error) {
      const fault =
        error instanceof StepFailure ? error.fault : (networkFault(error) ?? (isAppError(error, "ehr_invalid") ? "not_fhir" : undefined));
      if (!fault) throw error;
      record(false, fault);
      throw error instanceof StepFailure ? error : new StepFailure(fault, error);
    }
  };
  try {
    const smart = await step("address", () => fetchSmartConfiguration(ctx, baseUrl, { wantsCertificate: true }));
    test.certificateExpiry = smart.certificateExpiry;
    const { discovery, statement } = await step(
      "discovery",
      () => discoverTokenUrl(ctx, client, smart),
      (found) => tokenUrlWarning(client, found.discovery),
    );
    const { accessToken: token } = await step(
      "token",
      () => getToken(ctx, client, discovery),
      ({ granted }) => scopeWarning(client, granted),
    );
    await step("capability", async () => {
      // Some servers require a token for their CapabilityStatement.
      const isClosed = statement.status === 401 || statement.status === 403;
      test.capability = requireStatement(isClosed ? await fetchMetadataWithToken(ctx, baseUrl, token) : statement);
      if (parseFhirVersion(test.capability.fhirVersion) !== client.fhirVersion) throw new StepFailure("wrong_fhir_version");
    });
    if (patientId !== undefined) test.patient = await step("patient", () => readPatient(ctx, client, token, patientId));
  } catch (error) {
    if (!(error instanceof StepFailure)) throw error;
  }
  return test;
}

/** The token URL may be in the CapabilityStatement only. */
async function discoverTokenUrl(
  ctx: FhirContext,
  client: TestedClient,
  smart: OutboundResponse,
): Promise<{ discovery: Discovery; statement: OutboundResponse }> {
  if (responseFault(smart) === "unavailable") throw new StepFailure("unavailable");
  const statement = await fetchMetadata(ctx, client.baseUrl, { headers: fhirJson });
  const refusal = tenantFault(statement, client.hasTenantPath);
  if (refusal) throw new StepFailure(refusal);
  const discovery = parseSmartConfiguration(smart, client.baseUrl) ?? parseOauthUris(statement, client.baseUrl) ?? {};
  if (!discovery.tokenUrl && !client.tokenUrl) throw new StepFailure(statementFault(statement) ?? "discovery_missing");
  return { discovery, statement };
}

const tokenUrlWarning = ({ tokenUrl }: ClientRegistration, { tokenUrl: discovered }: Discovery): ConnectionFault | undefined =>
  tokenUrl === undefined || discovered === undefined || new URL(tokenUrl).href === discovered ? undefined : "token_differs";

const statementFault = (statement: OutboundResponse): ConnectionFault | undefined =>
  responseFault(statement) ??
  (statement.status === 404 || (statement.status === 200 && !parseStatement(statement)) ? "not_fhir" : undefined);

function requireStatement(statement: OutboundResponse): CapabilitySummary {
  const summary = parseStatement(statement);
  if (!summary) throw new StepFailure(responseFault(statement) ?? "not_fhir");
  return summary;
}

async function getToken(ctx: FhirContext, client: TestedClient, discovery: Discovery): Promise<ScopedToken> {
  const { userToken, hasTenantPath } = client;
  if (!tokenUrlFor(client, discovery)) throw new StepFailure("token_elsewhere");
  if (userToken) return userToken().catch(onUserTokenError);
  const available = availableAlgorithms(client);
  const outcome = await tryTokenRequest(ctx, client, discovery).catch((error: unknown) => {
    if (!isAppError(error, "ehr_auth")) throw error;
    const hasOnlySecret = client.clientSecret && available.length === 0;
    const algorithm = selectAlgorithm(discovery.signingAlgorithms, available.length === 0 ? undefined : available);
    throw new StepFailure(hasOnlySecret ? "secret_not_taken" : algorithm ? "no_signing_key" : "wrong_algorithm", error);
  });
  if ("token" in outcome) return outcome.token;
  throw new StepFailure(
    tokenFault(outcome.errorResponse, { signs: available.length > 0 && !client.clientSecret, now: ctx.clock(), hasTenantPath }),
  );
}

const onUserTokenError = (error: unknown): never => {
  throw isAppError(error, "ehr_auth") ? new StepFailure("authorization_ended", error) : error;
};

const scopeWarning = ({ scopes }: ClientRegistration, granted: string | undefined): ConnectionFault | undefined =>
  granted === undefined || scopesCover(granted, scopes) ? undefined : "scope_reduced";

const fetchMetadataWithToken = (ctx: FhirContext, baseUrl: string, token: string): Promise<OutboundResponse> =>
  fetchMetadata(ctx, baseUrl, { headers: { ...fhirJson, Authorization: `Bearer ${token}` } });

const byEhrCode: Partial<Record<string, ConnectionFault>> = {
  ehr_auth: "token_rejected",
  ehr_forbidden: "forbidden",
  ehr_not_found: "patient_not_found",
  ehr_unavailable: "unavailable",
};

async function readPatient(ctx: FhirContext, { baseUrl, fhirVersion }: TestedClient, token: string, patientId: string): Promise<Patient> {
  const sharedCapability: CapabilityStore["sharedCapability"] = (ask, options) => ask(options);
  const client = createFhirClient(ctx, { baseUrl, fhirVersion, accessToken: async () => token, sharedCapability });
  return client.read<Patient>("Patient", patientId).catch((error: unknown) => {
    if (!isAppError(error)) throw error;
    throw new StepFailure(networkFault(error) ?? byEhrCode[error.code] ?? "not_fhir", error);
  });
}
