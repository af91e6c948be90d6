import { ehrError, type FhirVersion, hasResourceScopes, narrowScopes, parseScope } from "@vitaline/fhir";
import type { FhirProviderRow } from "@vitaline/store";

type Connection = Pick<FhirProviderRow, "providerType" | "fhirVersion" | "scopes">;

/** Types that FHIR R4 names otherwise than an older version does, and what that version calls them, or has in their place. */
const names: Record<FhirVersion, Record<string, string>> = {
  R4: {},
  STU3: { CoverageEligibilityRequest: "EligibilityRequest", CoverageEligibilityResponse: "EligibilityResponse" },
  DSTU2: {
    CoverageEligibilityRequest: "EligibilityRequest",
    CoverageEligibilityResponse: "EligibilityResponse",
    MedicationRequest: "MedicationOrder",
    PractitionerRole: "Practitioner",
  },
};

/** Types that a vendor's servers do not have, by their public documents: there is no scope of them to be had, and nothing to ask. */
const lacking: Partial<Record<FhirProviderRow["providerType"], readonly string[]>> = {
  epic: ["Schedule", "Slot"],
  cerner: ["Medication", "PractitionerRole"],
};

/**
 * What a token for `wanted` (SMART scopes over FHIR R4) is asked with at a connection, out of its saved scopes and in the words of
 * its version; undefined where the saved ones do not hold it. What the vendor does not have is not asked for, whatever is saved.
 */
function scopesAt({ providerType, fhirVersion, scopes }: Connection, wanted: readonly string[]): string | undefined {
  const needed = wanted.flatMap((scope) => {
    const { type = "" } = parseScope(scope) ?? {};
    const native = scope.replace(`/${type}.`, `/${names[fhirVersion][type] ?? type}.`);
    return lacking[providerType]?.includes(type) ? [] : [native];
  });
  return narrowScopes(scopes, needed);
}

/** Whether a connection's saved scopes hold what is wanted. */
export const allowsScopes = (connection: Connection, wanted: readonly string[]): boolean => scopesAt(connection, wanted) !== undefined;

/** Something that is done at an EHR, by the SMART scopes that it needs. */
export type Operation = { name: string; scopes: readonly string[] };

/** The names of these operations, by whether a connection's saved scopes hold what they need; one without scopes asks no EHR and is in neither. */
export function operationsByAccess(connection: Connection, operations: readonly Operation[]): { allowed: string[]; notAllowed: string[] } {
  const { allowed = [], notAllowed = [] } = Object.groupBy(
    operations.filter(({ scopes }) => scopes.length > 0),
    ({ scopes }) => (allowsScopes(connection, scopes) ? "allowed" : "notAllowed"),
  );
  return { allowed: allowed.map(({ name }) => name), notAllowed: notAllowed.map(({ name }) => name) };
}

/** Whether a token with these scopes does for what is wanted; without any of resources nothing is known of it. */
export const tokenAllows = (connection: Connection, granted: string | undefined, wanted: readonly string[]): boolean =>
  granted === undefined || !hasResourceScopes(granted) || allowsScopes({ ...connection, scopes: granted }, wanted);

/** What of a connection's scopes a token for `wanted` is asked with; undefined, all of them, when nothing certain is wanted. AppError `ehr_not_allowed`. */
export function tokenScopes(connection: Connection, wanted: readonly string[]): string | undefined {
  if (wanted.length === 0) return undefined;
  const narrowed = scopesAt(connection, wanted);
  if (narrowed === undefined) throw ehrError("ehr_not_allowed");
  return narrowed;
}
