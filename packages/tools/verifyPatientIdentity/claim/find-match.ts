import { isAppError } from "@vitaline/core";
import type { CallStateRow } from "@vitaline/store";
import type { FhirResource, Parameters, Patient } from "fhir/r4.js";
import type { Run } from "../../sdk/run.ts";
import type { Claim } from "../schema.ts";
import { type Factor, matchedFactors } from "./factors.ts";
import { isOpenChart, isRetired, isUnconfirmed } from "../../patient/chart.ts";
import { chartIdentityHash } from "../../patient/person.ts";
import { interpreterFor, patientLanguage } from "../../patient/patient-language.ts";
import { normalizePhone, normalizeZip } from "../../nlu/digits.ts";
import { maxCandidates, searchPeople } from "../../patient/search-people.ts";

/** `person`: the identity hash of the matched name and birth date. */
export type Match = { patientId: string; person: string; factors: Factor[]; patient: Patient; languages: Languages };
type Languages = Pick<CallStateRow, "patientLanguage" | "interpreter">;

/**
 * The one patient who matches every detail. Every claim costs one request, so that response times reveal nothing; a second one only if a
 * page is full.
 */
export async function findMatch(run: Run, claim: Claim): Promise<Match | undefined> {
  const found = await candidates(run, claim).catch((error: unknown) => {
    // A locked chart must look like none.
    if (isAppError(error, "ehr_forbidden", "ehr_not_found")) return [];
    throw error;
  });
  // Unconfirmed and merged charts do not count as other people.
  const known = found.filter((patient) => patient.resourceType === "Patient" && !isUnconfirmed(patient) && !isRetired(patient));
  const matches = known.flatMap((patient) => {
    const factors = matchedFactors(claim, patient, run.ctx.clock());
    return factors && patient.id ? [{ patient, patientId: patient.id, factors }] : [];
  });
  const [only, ...others] = matches;
  if (!only || others.length > 0 || !isOpenChart(only.patient)) return undefined;
  // By the name on file: the spoken one may be one of two surnames.
  const person = chartIdentityHash(run.ctx.tenantId, only.patient);
  return person === undefined ? undefined : { ...only, person, languages: languagesOf(only.patient) };
}

function languagesOf(patient: Patient): Languages {
  const [language, interpreter] = [patientLanguage(patient), interpreterFor(patient)];
  return { ...(language ? { patientLanguage: language } : {}), ...(interpreter ? { interpreter } : {}) };
}

async function candidates(run: Run, claim: Claim): Promise<Patient[]> {
  const { ehr, signal } = run;
  const { match } = await ehr.behavior({ signal });
  if (match === "operation") return ehr.operation<Patient>("Patient", "match", matchParameters(claim), { signal });
  return (await searchPeople(run, claim)) ?? [];
}

/** Source: FHIR R4, Patient/$match. Several results, to detect ambiguity. */
function matchParameters(claim: Claim): Parameters {
  const parameter: NonNullable<Parameters["parameter"]> = [
    { name: "resource", resource: personOf(claim) as FhirResource },
    { name: "onlyCertainMatches", valueBoolean: true },
    { name: "count", valueInteger: maxCandidates },
  ];
  return { resourceType: "Parameters", parameter };
}

function personOf({ firstName, lastName, dateOfBirth, phoneNumber, email, zipCode }: Claim): Patient {
  const phone = normalizePhone(phoneNumber ?? "");
  return {
    resourceType: "Patient",
    name: [{ family: lastName.trim(), given: [firstName.trim()] }],
    birthDate: dateOfBirth,
    ...(phone || email
      ? {
          telecom: [
            ...(phone ? [{ system: "phone" as const, value: phone.length > 10 ? `+${phone}` : `+1${phone}` }] : []),
            ...(email ? [{ system: "email" as const, value: email.trim() }] : []),
          ],
        }
      : {}),
    ...(zipCode ? { address: [{ postalCode: normalizeZip(zipCode) }] } : {}),
  };
}
