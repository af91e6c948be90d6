import type { Coverage, Organization, Resource } from "fhir/r4.js";
import { conceptText, dayOf, lineOf } from "../speech/speech-text.ts";
import { normalName } from "../speech/names.ts";
import type { OnFile } from "./schema.ts";

const isOrganization = (one: Resource): one is Organization => one.resourceType === "Organization";

/** Who pays, in words. */
export function payerOf({ payor, contained = [] }: Coverage): string | undefined {
  const inside = (reference = ""): string | undefined => contained.filter(isOrganization).find(({ id }) => reference === `#${id}`)?.name;
  return payor.map(({ display, reference }) => lineOf(display ?? inside(reference))).find((name) => name !== undefined);
}

const planOf = ({ class: classes = [], type }: Coverage): string | undefined => {
  const named = ["plan", "group"].flatMap((kind) => classes.filter((one) => one.type?.coding?.some(({ code }) => code === kind)));
  return lineOf(named.find(({ name }) => name)?.name) ?? conceptText(type);
};

const isMemberNumber = ({ type }: { type?: { coding?: { code?: string | undefined }[] | undefined } | undefined }): boolean =>
  type?.coding?.some(({ code }) => code === "MB") ?? false;

/** Every number that the member could read from the card: https://terminology.hl7.org/CodeSystem-v2-0203.html for MB. */
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

const idle = new Set(["insurance", "insurer", "health", "healthcare", "plan", "plans", "company", "inc", "the", "of", "and"]);
/** Every word that was said begins a word of the payer's name. */
export function isPayer(coverage: Coverage, said: string): boolean {
  const words = normalName(payerOf(coverage) ?? "").split(" ");
  const all = normalName(said).split(" ").filter(Boolean);
  const telling = all.filter((word) => !idle.has(word));
  const wanted = telling.length > 0 ? telling : all;
  return wanted.length > 0 && wanted.every((word) => words.some((known) => known.startsWith(word)));
}

/** Dates that are no more exact than a month or a year hold until its end. */
export function periodOf({ period }: Coverage, today: string, timeZone: string): Pick<OnFile, "period" | "startsOn" | "endsOn"> {
  const [startsOn, endsOn] = [dayOf(period?.start, timeZone), dayOf(period?.end, timeZone)];
  const isOver = endsOn !== undefined && endsOn < today.slice(0, endsOn.length);
  const isAhead = startsOn !== undefined && startsOn > today.slice(0, startsOn.length);
  return {
    period: isOver ? "expired" : isAhead ? "not_started" : "current",
    ...(startsOn ? { startsOn } : {}),
    ...(endsOn ? { endsOn } : {}),
  };
}

/** What is told of a coverage that is on file. */
export function onFile(coverage: Coverage, today: string, timeZone: string, insurerSays: OnFile["insurerSays"]): OnFile {
  const [payer, plan, memberIdEndsIn] = [payerOf(coverage), planOf(coverage), ending(memberIds(coverage)[0])];
  return {
    ...(payer ? { payer } : {}),
    ...(plan ? { plan } : {}),
    ...(memberIdEndsIn ? { memberIdEndsIn } : {}),
    ...periodOf(coverage, today, timeZone),
    insurerSays,
  };
}
