import { matchesSpoken, wordsWithoutTitles } from "../nlu/who/match-names.ts";
import { readDoctor } from "../nlu/who/read-doctor.ts";
import { normalizeName } from "../nlu/names.ts";
import type { SlotCriteria, Gender, UsualDoctors } from "./slot-source.ts";

/** What a calendar tells of the doctor of a schedule or time. */
export type Doctor = { names: (string | undefined)[]; genders: readonly Gender[]; references: (string | undefined)[] };

/** "I'd like Dr. Patel" → ["patel"]; two for "Dr. Patel or Dr. Gomez". */
function namesIn(said: string): string[] {
  const read = readDoctor(said);
  const readings = read.kind === "ambiguous" ? read.readings : [read];
  return readings.flatMap((one) => (one.kind === "name" ? one.name : []));
}

export const matchesDoctor = (names: (string | undefined)[], said: string | undefined): boolean =>
  said === undefined || matchesSpoken(names, said) || namesIn(said).some((name) => matchesSpoken(names, name));

/** Every spoken word is a word of the name, not only its beginning. */
export function isWholeName(name: string | undefined, said: string): boolean {
  const words = normalizeName(name ?? "").split(" ");
  return namesIn(said).some((one) => one.split(" ").every((word) => words.includes(word)));
}

/** "Practitioner/17", "PractitionerRole/3", from any form of the reference. */
export const doctorKey = (reference: string | undefined): string | undefined =>
  /(?:^|\/)(Practitioner(?:Role)?\/[A-Za-z0-9._-]+)(?:\/_history\/[^/]+)?$/.exec(reference ?? "")?.[1];

const bareName = (name: string | undefined): string => wordsWithoutTitles(normalizeName(name ?? "").split(" ")).join(" ");

export const isUsualDoctor = (usual: UsualDoctors, { names, references }: Pick<Doctor, "names" | "references">): boolean =>
  references.some((one) => usual.references.includes(doctorKey(one) ?? "")) ||
  names.some((name) => bareName(name) !== "" && usual.names.some((known) => bareName(known) === bareName(name)));

export const isMeantDoctor = ({ practitioner, gender, usual }: SlotCriteria, doctor: Doctor): boolean =>
  matchesDoctor(doctor.names, practitioner) &&
  (gender === undefined || doctor.genders.includes(gender)) &&
  (usual === undefined || isUsualDoctor(usual, doctor));
