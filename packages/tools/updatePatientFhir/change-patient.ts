import type { Address, ContactPoint, Patient } from "fhir/r4.js";
import { addressFrom } from "../speech/spoken-address.ts";
import { isCurrent } from "../patient/contact-points.ts";
import { normalPhone } from "../speech/spoken-digits.ts";
import type { Input } from "./schema.ts";

export type Changed = "phone" | "email" | "address" | "preference";
type Said = Partial<Input>;

const dayOf = (now: Date): string => now.toISOString().slice(0, 10);

const same = (system: "phone" | "email", one = "", other = ""): boolean =>
  system === "phone"
    ? normalPhone(one) !== "" && normalPhone(one) === normalPhone(other)
    : one.trim().toLowerCase() === other.trim().toLowerCase();

/**
 * The chart as it is to be: what is new stands first, and what it replaces stays as `old` with the day on which it ended. What the
 * chart says already is no change.
 */
export function changedPatient(before: Patient, said: Said, now: Date): { after: Patient; changed: Changed[] } {
  const changed: Changed[] = [];
  let after = before;
  const step = (what: Changed, next: Patient | undefined): void => {
    if (!next) return;
    after = next;
    changed.push(what);
  };
  if (said.phoneNumber) step("phone", withContact(after, "phone", said.phoneNumber, said.phoneType, now));
  if (said.email) step("email", withContact(after, "email", said.email, undefined, now));
  step("address", withAddress(after, addressFrom(said), now));
  if (said.preferredContact) step("preference", withPreference(after, said.preferredContact, now));
  return { after, changed };
}

/** undefined: it is on file. */
function withContact(patient: Patient, system: "phone" | "email", value: string, use: Input["phoneType"], now: Date): Patient | undefined {
  const today = dayOf(now);
  const telecom = patient.telecom ?? [];
  const current = telecom.filter((one) => one.system === system && isCurrent(one, now));
  const known = current.find((one) => same(system, one.value, value));
  if (known && (use === undefined || known.use === use)) return undefined;
  const replaced = current.find((one) => use === undefined || one.use === use);
  const rest = telecom.flatMap((one): ContactPoint[] => {
    if (one === known) return [];
    return one === replaced ? [ended(one, today)] : [one];
  });
  const kept = replaced?.rank === undefined ? {} : { rank: replaced.rank };
  const newUse = use ?? replaced?.use;
  return { ...patient, telecom: [{ system, value, ...(newUse ? { use: newUse } : {}), ...kept, period: { start: today } }, ...rest] };
}

/** One that has ended is nobody's first choice any more. */
function ended<Point extends ContactPoint | Address>({ ...point }: Point, today: string): Point {
  if ("rank" in point) delete point.rank;
  return { ...point, use: "old", period: { ...point.period, end: today } };
}

const lived = new Set<Address["use"]>([undefined, "home", "temp"]);

/** A part of an address takes the place of that part; of an address at another zip code nothing else stays but what was said. */
function withAddress(patient: Patient, said: Address | undefined, now: Date): Patient | undefined {
  if (!said) return undefined;
  const today = dayOf(now);
  const all = patient.address ?? [];
  const old = all.find((one) => isCurrent(one, now) && lived.has(one.use));
  const { line, city, state, postalCode, country } = old ?? {};
  const isElsewhere = said.line !== undefined && said.postalCode !== undefined && said.postalCode.slice(0, 5) !== postalCode?.slice(0, 5);
  const stays: Address = isElsewhere ? { country } : { line, city, state, postalCode, country };
  const next: Address = { use: old?.use ?? "home", ...given(stays), ...said };
  if (old && sameAddress(next, old)) return undefined;
  return {
    ...patient,
    address: [{ ...next, period: { start: today } }, ...all.map((one) => (one === old ? ended(one, today) : one))],
  };
}

const given = (address: Address): Address => Object.fromEntries(Object.entries(address).filter(([, value]) => value !== undefined));
const plain = ({ line = [], city = "", state = "", postalCode = "" }: Address): string =>
  [line.join(", "), city, state, postalCode].join("|").toLowerCase();
const sameAddress = (one: Address, other: Address): boolean => plain(one) === plain(other);

/** Rank 1 is what is tried first (https://hl7.org/fhir/R4/datatypes.html#ContactPoint). */
function withPreference(patient: Patient, system: "phone" | "email", now: Date): Patient | undefined {
  const telecom = patient.telecom ?? [];
  const first = telecom.find((one) => one.system === system && isCurrent(one, now));
  if (!first || (first.rank === 1 && telecom.every((one) => one === first || one.rank !== 1))) return undefined;
  const ranked = telecom.map((one): ContactPoint => {
    if (one === first) return { ...one, rank: 1 };
    return one.rank === 1 ? { ...one, rank: 2 } : one;
  });
  return { ...patient, telecom: ranked };
}

/** How a patient is reached now, in one line: by it a change is found again that nobody heard of. */
export const contactLine = ({ telecom = [], address = [] }: Patient, now: Date): string =>
  JSON.stringify([
    telecom
      .filter((one) => isCurrent(one, now))
      .map(({ system, value = "", use = "", rank = 0 }) => [system, system === "phone" ? normalPhone(value) : value, use, rank]),
    address.filter((one) => isCurrent(one, now)).map(plain),
  ]);
