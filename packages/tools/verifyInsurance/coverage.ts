import type { Coverage, Organization, Resource } from "fhir/r4.js";
import { conceptText, recordedDay, spokenLine } from "../speech/speech-text.ts";
import { normalizeName } from "../nlu/names.ts";
import type { CoverageOnFile } from "./schema.ts";

const isOrganization = (one: Resource): one is Organization => one.resourceType === "Organization";

export function payerOf({ payor, contained = [] }: Coverage): string | undefined {
  const inside = (reference = ""): string | undefined => contained.filter(isOrganization).find(({ id }) => reference === `#${id}`)?.name;
  return payor.map(({ display, reference }) => spokenLine(display ?? inside(reference))).find((name) => name !== undefined);
}

const planOf = ({ class: classes = [], type }: Coverage): string | undefined => {
  const named = ["plan", "group"].flatMap((kind) => classes.filter((one) => one.type?.coding?.some(({ code }) => code === kind)));
  return spokenLine(named.find(({ name }) => name)?.name) ?? conceptText(type);
};

const isMemberNumber = ({ type }: { type?: { coding?: { code?: string | undefined }[] | undefined } | undefined }): boolean =>
  type?.coding?.some(({ code }) => code === "MB") ?? false;

/** All numbers on an insurance card. MB: https://terminology.hl7.org/CodeSystem-v2-0203.html */
const memberIds = ({ subscriberId, identifier = [] }: Coverage): string[] =>
  [subscriberId, identifier.find(isMemberNumber)?.value, ...(identifier.length === 1 ? [identifier[0]?.value] : [])].flatMap(
    (id) => id ?? [],
  );

const plain = (id: string): string => id.toUpperCase().replace(/[^A-Z0-9]/g, "");
export const hasMemberId = (coverage: Coverage, said: string): boolean =>
  plain(said) !== "" && memberIds(coverage).some((id) => plain(id) === plain(said));

const shown = 4;
const ending = (id: string | undefined): string | undefined => {
  const known = plain(id ?? "");
  return known.length < 2 ? undefined : known.slice(-Math.min(shown, Math.floor(known.length / 2)));
};

const stopWords = new Set(["insurance", "insurer", "health", "healthcare", "plan", "plans", "company", "inc", "the", "of", "and"]);
/** Every spoken word starts a word of the payer's name. */
export function matchesPayer(coverage: Coverage, said: string): boolean {
  const words = normalizeName(payerOf(coverage) ?? "").split(" ");
  const all = normalizeName(said).split(" ").filter(Boolean);
  const telling = all.filter((word) => !stopWords.has(word));
  const wanted = telling.length > 0 ? telling : all;
  return wanted.length > 0 && wanted.every((word) => words.some((known) => known.startsWith(word)));
}

/** A month or year lasts until its end. */
export function periodOf(
  { period }: Pick<Coverage, "period">,
  today: string,
  timeZone: string,
): Pick<CoverageOnFile, "period" | "startsOn" | "endsOn"> {
  const [startsOn, endsOn] = [recordedDay(period?.start, timeZone), recordedDay(period?.end, timeZone)];
  const isOver = endsOn !== undefined && endsOn < today.slice(0, endsOn.length);
  const isAhead = startsOn !== undefined && startsOn > today.slice(0, startsOn.length);
  return {
    period: isOver ? "expired" : isAhead ? "not_started" : "current",
    ...(startsOn ? { startsOn } : {}),
    ...(endsOn ? { endsOn } : {}),
  };
}

export function describeCoverage(
  coverage: Coverage,
  today: string,
  timeZone: string,
  insurerSays: CoverageOnFile["insurerSays"],
): CoverageOnFile {
  const [payer, plan, memberIdEndsIn] = [payerOf(coverage), planOf(coverage), ending(memberIds(coverage)[0])];
  return {
    ...(payer ? { payer } : {}),
    ...(plan ? { plan } : {}),
    ...(memberIdEndsIn ? { memberIdEndsIn } : {}),
    ...periodOf(coverage, today, timeZone),
    insurerSays,
  };
}
