import { defaultFhirScopes, type FhirPreset } from "@vitaline/contract";
import type { Context } from "@vitaline/core";

const cerner = "https://authorization.cerner.com/tenants/{tenant}";
const allscripts = "https://fhir.fhirpoint.open.allscripts.com/fhirroute/authorizationV2/{tenant}/connect";
const nextgen = "https://fhir.nextgen.com/nge/prod/patient-oauth";
const epic = "https://fhir.epic.com/interconnect-fhir-oauth";

const clinicalReads = ["AllergyIntolerance", "Condition", "Coverage", "MedicationRequest", "Observation", "Patient", "Practitioner"];
/** Also for the two read-only vendors. */
const directoryReads = ["Location", "Medication", "PractitionerRole"];
const schedulingReads = ["Appointment", "Communication", "Location", "MedicationDispense", "Schedule", "Slot"];
const reads = (...types: string[]): string[] => types.map((type) => `system/${type}.read`);
const writes = (...types: string[]): string[] => types.map((type) => `system/${type}.write`);

/**
 * Form defaults by vendor, from the vendors' public documents; none for a custom server. Oracle Health (Cerner) takes no wildcard scopes;
 * Allscripts and NextGen are read only.
 */
export const listFhirPresets = ({ origin }: Pick<Context, "origin">): FhirPreset[] => [
  {
    providerType: "epic",
    baseUrl: `${epic}/api/FHIR/R4`,
    redirectUri: `${origin}/oauth/epic/callback`,
    authUrl: `${epic}/oauth2/authorize`,
    tokenUrl: `${epic}/oauth2/token`,
    scopes: defaultFhirScopes,
  },
  {
    providerType: "cerner",
    baseUrl: null,
    redirectUri: null,
    authUrl: `${cerner}/protocols/oauth2/profiles/smart-v1/personas/provider/authorize`,
    tokenUrl: `${cerner}/hosts/fhir-ehr.cerner.com/protocols/oauth2/profiles/smart-v1/token`,
    scopes: [...reads(...clinicalReads, ...schedulingReads), ...writes("Appointment", "Communication", "Patient")].join(" "),
  },
  {
    providerType: "allscripts",
    baseUrl: null,
    redirectUri: null,
    authUrl: `${allscripts}/authorize`,
    tokenUrl: `${allscripts}/token`,
    scopes: reads(...clinicalReads, ...directoryReads).join(" "),
  },
  {
    providerType: "nextgen",
    baseUrl: null,
    redirectUri: null,
    authUrl: `${nextgen}/authorize`,
    tokenUrl: `${nextgen}/token`,
    scopes: reads(...clinicalReads, ...directoryReads).join(" "),
  },
];
