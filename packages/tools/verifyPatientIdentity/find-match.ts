import { isAppError } from "@vitaline/core";
import type { FhirResource, Parameters, Patient } from "fhir/r4.js";
import type { Run } from "../sdk/run.ts";
import type { Claim } from "./schema.ts";
import { type Factor, matchedFactors } from "./factors.ts";
import { isOpenChart, isRetired, isUnconfirmed } from "../patient/chart.ts";
import { markOf } from "../patient/person.ts";
import { normalPhone, normalZip } from "../speech/spoken-digits.ts";
import { mostCandidates, searchPeople } from "../patient/search-people.ts";

/** `person`: keyed, the name and birth date that matched. */
export type Match = { patientId: string; person: string; factors: Factor[] };

/**
 * The one patient who is whom the caller claims to be, in every detail given. Every claim costs one request, whatever comes of it:
 * whoever listens to the time learns nothing; a second one only where more people than one page may hold are named and born alike.
 */
export async function findMatch(run: Run, claim: Claim): Promise<Match | undefined> {
  const found = await candidates(run, claim).catch((error: unknown) => {
    // A chart that is locked away must look like none.
    if (isAppError(error, "ehr_forbidden", "ehr_not_found")) return [];
    throw error;
  });
  // A patient stays one person, however often they were registered by phone, and whatever charts of theirs were merged.
  const known = found.filter((patient) => patient.resourceType === "Patient" && !isUnconfirmed(patient) && !isRetired(patient));
  const matches = known.flatMap((patient) => {
    const factors = matchedFactors(claim, patient, run.ctx.clock());
    return factors && patient.id ? [{ patient, patientId: patient.id, factors }] : [];
  });
  const [only, ...others] = matches;
  if (!only || others.length > 0 || !isOpenChart(only.patient)) return undefined;
  // Of the name on file: what was said may be one of two surnames.
  const person = markOf(run.ctx.tenantId, only.patient);
  return person === undefined ? undefined : { patientId: only.patientId, person, factors: only.factors };
}

/** Whoever could be meant: the server's own match is asked for who is certain only, and a search is wider than what is claimed. */
async function candidates(run: Run, claim: Claim): Promise<Patient[]> {
  const { ehr, signal } = run;
  const { match } = await ehr.strategy({ signal });
  if (match === "operation") return ehr.operation<Patient>("Patient", "match", matchParameters(claim), { signal });
  return (await searchPeople(run, claim)) ?? [];
}

/** Source: FHIR R4, Patient/$match. Several, so that one of two is not taken for the only one, nor hidden by charts that do not count. */
function matchParameters(claim: Claim): Parameters {
  const parameter: NonNullable<Parameters["parameter"]> = [
    { name: "resource", resource: personOf(claim) as FhirResource },
    { name: "onlyCertainMatches", valueBoolean: true },
    { name: "count", valueInteger: mostCandidates },
  ];
  return { resourceType: "Parameters", parameter };
}

function personOf({ firstName, lastName, dateOfBirth, phoneNumber, email, zipCode }: Claim): Patient {
  const phone = normalPhone(phoneNumber ?? "");
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
    ...(zipCode ? { address: [{ postalCode: normalZip(zipCode) }] } : {}),
  };
}
