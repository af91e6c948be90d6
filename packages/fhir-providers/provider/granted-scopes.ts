import { ehrError, type FhirVersion, hasResourceScopes, narrowScopes, parseScope } from "@vitaline/fhir";
import type { FhirProviderRow } from "@vitaline/store";

type Connection = Pick<FhirProviderRow, "providerType" | "fhirVersion" | "scopes">;

/** R4 types by their native name, or the native type that contains them. */
const nativeTypes: Record<FhirVersion, Record<string, string>> = {
  R4: {},
  STU3: { CoverageEligibilityRequest: "EligibilityRequest", CoverageEligibilityResponse: "EligibilityResponse" },
  DSTU2: {
    CoverageEligibilityRequest: "EligibilityRequest",
    CoverageEligibilityResponse: "EligibilityResponse",
    MedicationRequest: "MedicationOrder",
    PractitionerRole: "Practitioner",
  },
};

/** Types that a vendor's servers lack by its public documents, so there is no scope for them. */
const unavailableTypes: Partial<Record<FhirProviderRow["providerType"], readonly string[]>> = {
  epic: ["Schedule", "Slot"],
  cerner: ["Medication", "PractitionerRole"],
};

/**
 * The scopes to request for `wanted` (SMART scopes over FHIR R4), in the native types and limited to the saved scopes; undefined when the
 * saved ones do not cover it. Types that the vendor lacks are not requested.
 */
function scopesToRequest({ providerType, fhirVersion, scopes }: Connection, wanted: readonly string[]): string | undefined {
  const needed = wanted.flatMap((scope) => {
    const { type = "" } = parseScope(scope) ?? {};
    const native = scope.replace(`/${type}.`, `/${nativeTypes[fhirVersion][type] ?? type}.`);
    return unavailableTypes[providerType]?.includes(type) ? [] : [native];
  });
  return narrowScopes(scopes, needed);
}

export const allowsScopes = (connection: Connection, wanted: readonly string[]): boolean =>
  scopesToRequest(connection, wanted) !== undefined;

/** An operation at an EHR and the SMART scopes that it needs. */
export type Operation = { name: string; scopes: readonly string[] };

/** The operations by name; those without scopes use no EHR and are in neither list. */
export function operationsByAccess(connection: Connection, operations: readonly Operation[]): { allowed: string[]; notAllowed: string[] } {
  const { allowed = [], notAllowed = [] } = Object.groupBy(
    operations.filter(({ scopes }) => scopes.length > 0),
    ({ scopes }) => (allowsScopes(connection, scopes) ? "allowed" : "notAllowed"),
  );
  return { allowed: allowed.map(({ name }) => name), notAllowed: notAllowed.map(({ name }) => name) };
}

/** Whether a token with the `granted` scopes is enough; assumed when it names no resource scopes. */
export const tokenAllows = (connection: Connection, granted: string | undefined, wanted: readonly string[]): boolean =>
  granted === undefined || !hasResourceScopes(granted) || allowsScopes({ ...connection, scopes: granted }, wanted);

/** AppError `ehr_not_allowed` if the connection cannot get tokens for them. */
export const assertScopesAllowed = (connection: Connection, wanted: readonly string[]): void => void tokenScopes(connection, wanted);

/** Undefined, meaning all of the connection's scopes, when `wanted` is empty. AppError `ehr_not_allowed`. */
export function tokenScopes(connection: Connection, wanted: readonly string[]): string | undefined {
  if (wanted.length === 0) return undefined;
  const narrowed = scopesToRequest(connection, wanted);
  if (narrowed === undefined) throw ehrError("ehr_not_allowed");
  return narrowed;
}
