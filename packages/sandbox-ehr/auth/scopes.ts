export const demoClientId = "vitaline-demo";

const reads = [
  "Practitioner",
  "PractitionerRole",
  "Organization",
  "Location",
  "Group",
  "RelatedPerson",
  "Flag",
  "Schedule",
  "Condition",
  "AllergyIntolerance",
  "Observation",
  "Medication",
  "MedicationRequest",
  "MedicationDispense",
  "MedicationStatement",
  "Coverage",
  "CoverageEligibilityResponse",
];
const olderNames = ["system/MedicationOrder.rs", "system/EligibilityRequest.crs", "system/EligibilityResponse.rs"];

/** The scopes that the platform's tools need, for servers of every version. */
export const demoScopes = [
  "system/Patient.crus",
  "system/Appointment.crus",
  "system/Slot.rs",
  "system/Communication.crs",
  "system/CommunicationRequest.crs",
  "system/CoverageEligibilityRequest.crs",
  ...reads.map((type) => `system/${type}.rs`),
  ...olderNames,
].join(" ");

export type Right = "create" | "read" | "update" | "search";

const scopePattern = /^(system|user|patient)\/(\*|[A-Z][A-Za-z]+)\.(read|write|\*|(?!$)c?r?u?d?s?)$/;
const launchScopes = new Set(["openid", "fhirUser", "profile", "offline_access", "online_access", "launch", "launch/patient"]);
const versionOneRights: Record<string, string> = { read: "rs", write: "cud", "*": "cruds" };
const letters: Record<Right, string> = { create: "c", read: "r", update: "u", search: "s" };

/**
 * Undefined when a scope cannot be granted: system clients get system/ scopes, users get user/, patient/ and launch scopes. Some EHRs do
 * not accept `*`.
 */
export function parseScopes(text: string, { forPerson = false, wildcards = true } = {}): string[] | undefined {
  const scopes = text.split(" ").filter(Boolean);
  const fits = (scope: string) => {
    const [, context, type, right] = scopePattern.exec(scope) ?? [];
    if (context === undefined) return forPerson && launchScopes.has(scope);
    return (forPerson || context === "system") && (wildcards || (type !== "*" && right !== "*"));
  };
  return scopes.length > 0 && scopes.every(fits) ? scopes : undefined;
}

export const allows = (scopes: readonly string[], type: string, right: Right): boolean =>
  scopes.some((scope) => holds(scope, type, letters[right]));

function holds(scope: string, type: string, letter: string): boolean {
  const [, , context, rights = ""] = scopePattern.exec(scope) ?? [];
  return (context === "*" || context === type) && (versionOneRights[rights] ?? rights).includes(letter);
}

export const limitScopes = (scopes: readonly string[], ceiling: readonly string[]): string[] =>
  scopes.filter((scope) => {
    const [, , type = "", rights = ""] = scopePattern.exec(scope) ?? [];
    if (type === "") return ceiling.includes(scope);
    const wanted = [...(versionOneRights[rights] ?? rights)];
    return wanted.every((letter) => ceiling.some((one) => holds(one, type, letter)));
  });
