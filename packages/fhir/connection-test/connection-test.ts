import { isAppError } from "@vitaline/core";
import type { OutboundResponse } from "@vitaline/outbound";
import type { Patient } from "fhir/r4.js";
import { selectAlgorithm, availableAlgorithms } from "../auth/client-assertion.ts";
import { type CapabilityStore, type CapabilitySummary, parseStatement, parseFhirVersion } from "../client/capability.ts";
import { createFhirClient } from "../client/client.ts";
import { responseFault, type ConnectionFault, networkFault, tenantFault } from "./connection-fault.ts";
import { fetchMetadata, fetchSmartConfiguration, type Discovery, parseOauthUris, parseSmartConfiguration } from "../auth/discovery.ts";
import { scopesCover } from "../auth/scopes.ts";
import { tokenFault } from "./token-fault.ts";
import { tryTokenRequest, type ClientRegistration, tokenUrlFor } from "../auth/token.ts";
import type { FhirContext } from "../http/exchange.ts";
import type { FhirVersion } from "../versions/convert/version.ts";

export type ConnectionTestStepName = "address" | "discovery" | "token" | "capability" | "patient";
/** `code` without a failure is a warning. */
export type ConnectionTestStep = { step: ConnectionTestStepName; ok: boolean; ms: number; code?: ConnectionFault };
export type ConnectionTest = {
  steps: ConnectionTestStep[];
  patient?: Patient;
  certificateExpiry?: string;
  capability?: CapabilitySummary;
};

export type TestedClient = ClientRegistration & {
  fhirVersion: FhirVersion;
  /** The address holds a tenant's id, so that nothing there may mean: no such tenant. */
  hasTenantPath?: boolean;
  /** A token of somebody who has let us in, for a client that gets none by itself. AppError `ehr_auth` when there is none. */
  signedIn?: () => Promise<Got>;
};

/** The second is what FHIR JSON was called in DSTU2. https://hl7.org/fhir/DSTU2/http.html#mime-type */
const asFhir = { Accept: "application/fhir+json, application/json+fhir;q=0.9" };

/** A token, and its scopes where they were named. */
type Got = { accessToken: string; granted?: string | undefined };

/** A step that cannot go on. */
class StepFailure extends Error {
  readonly fault: ConnectionFault;
  constructor(fault: ConnectionFault, cause?: unknown) {
    super(fault, { cause });
    this.fault = fault;
  }
}

/**
 * Walks the way that a patient's call takes: reach the server, find its token address, get a token, check its FHIR version, and read
 * one patient when an id is given. Nothing is remembered but what `signedIn` knows. Ends at the first step that fails; never throws
 * for the other side's faults.
 */
export async function runConnectionTest(ctx: FhirContext, client: TestedClient, patientId?: string): Promise<ConnectionTest> {
  const { baseUrl } = client;
  const trial: ConnectionTest = { steps: [] };
  const step = async <T>(
    name: ConnectionTestStepName,
    run: () => Promise<T>,
    warn?: (result: T) => ConnectionFault | undefined,
  ): Promise<T> => {
    const startedMs = performance.now();
    const note = (ok: boolean, code?: ConnectionFault) =>
      trial.steps.push({ step: name, ok, ms: Math.round(performance.now() - startedMs), ...(code && { code }) });
    try {
      const result = await run();
      note(true, warn?.(result));
      return result;
    } catch (error) {
      const fault =
        error instanceof StepFailure ? error.fault : (networkFault(error) ?? (isAppError(error, "ehr_invalid") ? "not_fhir" : undefined));
      if (!fault) throw error;
      note(false, fault);
      throw error instanceof StepFailure ? error : new StepFailure(fault, error);
    }
  };
  try {
    const smart = await step("address", () => fetchSmartConfiguration(ctx, baseUrl, { wantsCertificate: true }));
    trial.certificateExpiry = smart.certificateExpiry;
    const { discovery, statement } = await step(
      "discovery",
      () => findToken(ctx, client, smart),
      (found) => difference(client, found.discovery),
    );
    const { accessToken: token } = await step(
      "token",
      () => getToken(ctx, client, discovery),
      (got) => reduction(client, got.granted),
    );
    await step("capability", async () => {
      // Some servers show their statement only to those they know.
      const isClosed = statement.status === 401 || statement.status === 403;
      trial.capability = statedIn(isClosed ? await askWithToken(ctx, baseUrl, token) : statement);
      if (parseFhirVersion(trial.capability.fhirVersion) !== client.fhirVersion) throw new StepFailure("wrong_fhir_version");
    });
    if (patientId !== undefined) trial.patient = await step("patient", () => readPatient(ctx, client, token, patientId));
  } catch (error) {
    if (!(error instanceof StepFailure)) throw error;
  }
  return trial;
}

/** Where tokens are given, and the server's statement, which may say so when nothing else does. */
async function findToken(
  ctx: FhirContext,
  client: TestedClient,
  smart: OutboundResponse,
): Promise<{ discovery: Discovery; statement: OutboundResponse }> {
  if (responseFault(smart) === "unavailable") throw new StepFailure("unavailable");
  const statement = await fetchMetadata(ctx, client.baseUrl, { headers: asFhir });
  const refused = tenantFault(statement, client.hasTenantPath);
  if (refused) throw new StepFailure(refused);
  const discovery = parseSmartConfiguration(smart, client.baseUrl) ?? parseOauthUris(statement, client.baseUrl) ?? {};
  if (!discovery.tokenUrl && !client.tokenUrl) throw new StepFailure(statementFault(statement) ?? "discovery_missing");
  return { discovery, statement };
}

const difference = ({ tokenUrl }: ClientRegistration, { tokenUrl: named }: Discovery): ConnectionFault | undefined =>
  tokenUrl === undefined || named === undefined || new URL(tokenUrl).href === named ? undefined : "token_differs";

const statementFault = (statement: OutboundResponse): ConnectionFault | undefined =>
  responseFault(statement) ??
  (statement.status === 404 || (statement.status === 200 && !parseStatement(statement)) ? "not_fhir" : undefined);

function statedIn(statement: OutboundResponse): CapabilitySummary {
  const stated = parseStatement(statement);
  if (!stated) throw new StepFailure(responseFault(statement) ?? "not_fhir");
  return stated;
}

async function getToken(ctx: FhirContext, client: TestedClient, discovery: Discovery): Promise<Got> {
  const { signedIn, hasTenantPath } = client;
  if (!tokenUrlFor(client, discovery)) throw new StepFailure("token_elsewhere");
  if (signedIn) return signedIn().catch(onEnded);
  const held = availableAlgorithms(client);
  const outcome = await tryTokenRequest(ctx, client, discovery).catch((error: unknown) => {
    if (!isAppError(error, "ehr_auth")) throw error;
    const unsigned = client.clientSecret && held.length === 0;
    const algorithm = selectAlgorithm(discovery.signingAlgorithms, held.length === 0 ? undefined : held);
    throw new StepFailure(unsigned ? "secret_not_taken" : algorithm ? "no_signing_key" : "wrong_algorithm", error);
  });
  if ("token" in outcome) return outcome.token;
  throw new StepFailure(
    tokenFault(outcome.errorResponse, { signs: held.length > 0 && !client.clientSecret, now: ctx.clock(), hasTenantPath }),
  );
}

const onEnded = (error: unknown): never => {
  throw isAppError(error, "ehr_auth") ? new StepFailure("authorization_ended", error) : error;
};

const reduction = ({ scopes }: ClientRegistration, granted: string | undefined): ConnectionFault | undefined =>
  granted === undefined || scopesCover(granted, scopes) ? undefined : "scope_reduced";

const askWithToken = (ctx: FhirContext, baseUrl: string, token: string): Promise<OutboundResponse> =>
  fetchMetadata(ctx, baseUrl, { headers: { ...asFhir, Authorization: `Bearer ${token}` } });

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
