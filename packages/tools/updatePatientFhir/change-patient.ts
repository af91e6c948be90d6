import type { Address, ContactPoint, Patient } from "fhir/r4.js";
import { toFhirAddress } from "../nlu/address.ts";
import { isCurrent } from "../patient/person.ts";
import { normalizePhone } from "../nlu/digits.ts";
import type { Input } from "./schema.ts";

export type Changed = "phone" | "email" | "address" | "preference";
type Changes = Partial<Input>;

const dayOf = (now: Date): string => now.toISOString().slice(0, 10);

const same = (system: "phone" | "email", one = "", other = ""): boolean =>
  system === "phone"
    ? normalizePhone(one) !== "" && normalizePhone(one) === normalizePhone(other)
    : one.trim().toLowerCase() === other.trim().toLowerCase();

/** New values come first; replaced ones stay as `old` with an end date. Values already on file are no change. */
export function changePatient(before: Patient, said: Changes, now: Date): { after: Patient; changed: Changed[] } {
  const changed: Changed[] = [];
  let after = before;
  const step = (what: Changed, next: Patient | undefined): void => {
    if (!next) return;
    after = next;
    changed.push(what);
  };
  if (said.phoneNumber) step("phone", withContact(after, "phone", said.phoneNumber, said.phoneType, now));
  if (said.email) step("email", withContact(after, "email", said.email, undefined, now));
  step("address", withAddress(after, toFhirAddress(said), now));
  if (said.preferredContact) step("preference", withPreference(after, said.preferredContact, now));
  return { after, changed };
}

/** A number for texts alone is a mobile phone's. */
const kindOf = ({ system, use }: ContactPoint): ContactPoint["use"] => (system === "sms" ? "mobile" : use);

const currentPoints = ({ telecom = [] }: Patient, system: "phone" | "email", now: Date): ContactPoint[] =>
  telecom.filter((one) => (one.system === system || (system === "phone" && one.system === "sms")) && isCurrent(one, now));

/** Whether the caller has to say which of several numbers on file a new one replaces. */
export function isPhoneTypeNeeded(patient: Patient, { phoneNumber, phoneType }: Changes, now: Date): boolean {
  if (phoneNumber === undefined || phoneType !== undefined) return false;
  const onFile = currentPoints(patient, "phone", now);
  const numbers = new Set(onFile.map(({ value = "" }) => normalizePhone(value)));
  return numbers.size > 1 && !onFile.some(({ value }) => same("phone", value, phoneNumber));
}

/** undefined if it is already on file. The preferred one of its kind is replaced, in all places where it is listed. */
function withContact(patient: Patient, system: "phone" | "email", value: string, use: Input["phoneType"], now: Date): Patient | undefined {
  const today = dayOf(now);
  const current = currentPoints(patient, system, now);
  const known = current.filter((one) => same(system, one.value, value));
  if (known.length > 0 && (use === undefined || known.some((one) => kindOf(one) === use))) return undefined;
  const [replaced] = current
    .filter((one) => use === undefined || kindOf(one) === use)
    .toSorted((a, b) => (a.rank ?? Infinity) - (b.rank ?? Infinity) || 0);
  const ended = current.filter((one) => one === replaced || same(system, one.value, replaced?.value));
  const rest = (patient.telecom ?? []).flatMap((one): ContactPoint[] => {
    if (known.includes(one)) return [];
    return ended.includes(one) ? [endPoint(one, today)] : [one];
  });
  const rank = replaced?.rank;
  const newUse = use ?? (ended.some((one) => kindOf(one) === "mobile") ? "mobile" : replaced?.use);
  const point: ContactPoint = { system, value, ...(newUse ? { use: newUse } : {}), ...(rank === undefined ? {} : { rank }) };
  return { ...patient, telecom: [{ ...point, period: { start: today } }, ...rest] };
}

function endPoint<Point extends ContactPoint | Address>({ ...point }: Point, today: string): Point {
  if ("rank" in point) delete point.rank;
  return { ...point, use: "old", period: { ...point.period, end: today } };
}

const residentialUses = new Set<Address["use"]>([undefined, "home", "temp"]);

const isOther = (said: string | undefined, known: string | undefined): boolean =>
  said !== undefined && said.toLowerCase() !== known?.toLowerCase();

/** Replaces the given parts; a street with another zip code replaces the whole address, and another town has not the old zip code. */
function withAddress(patient: Patient, said: Address | undefined, now: Date): Patient | undefined {
  if (!said) return undefined;
  const today = dayOf(now);
  const all = patient.address ?? [];
  const old = all.find((one) => isCurrent(one, now) && residentialUses.has(one.use));
  const { line, city, state, postalCode, country } = old ?? {};
  const isElsewhere = said.line !== undefined && said.postalCode !== undefined && said.postalCode.slice(0, 5) !== postalCode?.slice(0, 5);
  const isOtherTown = said.postalCode === undefined && (isOther(said.city, city) || isOther(said.state, state));
  const stays: Address = isElsewhere ? { country } : { line, city, state, postalCode: isOtherTown ? undefined : postalCode, country };
  const next: Address = { use: old?.use ?? "home", ...given(stays), ...said };
  if (old && sameAddress(next, old)) return undefined;
  return {
    ...patient,
    address: [{ ...next, period: { start: today } }, ...all.map((one) => (one === old ? endPoint(one, today) : one))],
  };
}

const given = (address: Address): Address => Object.fromEntries(Object.entries(address).filter(([, value]) => value !== undefined));
const plain = ({ line = [], city = "", state = "", postalCode = "" }: Address): string =>
  [line.join(", "), city, state, postalCode].join("|").toLowerCase();
const sameAddress = (one: Address, other: Address): boolean => plain(one) === plain(other);

/** Rank 1 is preferred (https://hl7.org/fhir/R4/datatypes.html#ContactPoint). */
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

/** Compared to recognize a change of unknown outcome. */
export const contactFingerprint = ({ telecom = [], address = [] }: Patient, now: Date): string =>
  JSON.stringify([
    telecom
      .filter((one) => isCurrent(one, now))
      .map(({ system, value = "", use = "", rank = 0 }) => [system, system === "phone" ? normalizePhone(value) : value, use, rank]),
    address.filter((one) => isCurrent(one, now)).map(plain),
  ]);
