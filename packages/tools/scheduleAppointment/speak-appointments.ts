import type { OpenSlot } from "../scheduling/slot-source.ts";
import { isGeneralService, speakService } from "../scheduling/services.ts";
import type { Phrasing } from "../sdk/phrasing.ts";
import { isShort, maxSpoken } from "../speech/say-list.ts";
import type { AppointmentSummary } from "./schema.ts";

type Details = {
  service?: string | undefined;
  practitioner?: string | undefined;
  gender?: OpenSlot["gender"];
  location?: string | undefined;
};

const detailsOf = ({ service, practitioner, gender, location }: Details, { say, name, record }: Phrasing): string[] => [
  ...(service ? [say({ en: `for ${speakService(service)}`, es: `para ${record(service)}` })] : []),
  ...(practitioner ? [say({ en: `with ${name(practitioner)}`, es: `con ${name(practitioner, gender)}` })] : []),
  ...(location ? [say({ en: `at ${location}`, es: `en ${location}` })] : []),
];

/** `word`: before an English date. `isPlain`: without its state. `at`: how the time is said; in full if absent. */
type Manner = { word?: "on"; isPlain?: true; at?: (start: string) => string };

/** "tomorrow, Saturday, November 28, at 9:30 AM with Doctor Dunstead at Mockford North". */
export function sayAppointment(
  { start, requested, ...details }: AppointmentSummary,
  phrasing: Phrasing,
  { word, isPlain, at = (one) => phrasing.fullTime(one, word) }: Manner = {},
): string {
  const time = at(start);
  const unconfirmed = phrasing.say({ en: "which the clinic has yet to confirm", es: "que la clínica aún no confirma" });
  const visit = [time, ...detailsOf(details, phrasing)].join(" ");
  return requested && !isPlain ? `${visit}, ${unconfirmed}` : visit;
}

export const differ = (values: readonly (string | undefined)[]): boolean => new Set(values).size > 1;

/** "Dr. Amara Larkmere" → "Dr. Larkmere", where no other doctor has that name. */
function shortNames(slots: readonly OpenSlot[]): (name: string | undefined) => string | undefined {
  const surname = /^(Dra?\b\.?)\s[^,]*?((?:\b(?:de|del|la|las|los|da|di|dos|van|von|der|den)\s)*[^\s,]+)$/i;
  const known = new Set(slots.flatMap(({ practitioner }) => practitioner ?? []));
  const suffix = /\s(?:\p{Lu}{2,4}|[JS]r\.?)$/u;
  const short = (name: string): string => (suffix.test(name) ? name : name.replace(surname, "$1 $2"));
  return (name) => {
    if (name === undefined) return undefined;
    return [...known].filter((other) => short(other) === short(name)).length > 1 ? name : short(name);
  };
}

type Spoken = Details & { start: string; isSameDay: boolean };

/** What all have in common is said once, the day only where it changes. */
function join(spoken: readonly Spoken[], phrasing: Phrasing): { times: string[]; joined: string; tail: string } {
  const { say, list, time, clock } = phrasing;
  const isShared =
    spoken.length > 1 &&
    [spoken.map((one) => one.service), spoken.map((one) => one.practitioner), spoken.map((one) => one.location)].every(
      (all) => !differ(all),
    );
  const times = spoken.map(({ start, isSameDay, ...details }) => {
    const at = isSameDay ? say({ en: `at ${clock(start)}`, es: `a ${clock(start)}` }) : time(start);
    return [at, ...(isShared ? [] : detailsOf(details, phrasing))].join(" ");
  });
  const shared = isShared && spoken[0] ? detailsOf(spoken[0], phrasing) : [];
  const all = spoken.length === 2 ? say({ en: "both", es: "los dos" }) : say({ en: "all", es: "todos" });
  const tail = shared.length > 0 ? `, ${all} ${shared.join(" ")}` : "";
  return { times, joined: `${list(times, { word: "or" })}${tail}`, tail };
}

/**
 * The sentence with all offers, so that "the last one" is the last one that the caller heard: in one sentence, else one each, else with
 * fewer details. The place only where it differs, also from that of other times.
 */
export function sayOffers(
  slots: readonly OpenSlot[],
  phrasing: Phrasing,
  sentence: (offers: string, count: number) => string,
  hasPlaces = differ(slots.map(({ location }) => location)),
): string {
  const { say, day } = phrasing;
  const shorten = shortNames(slots);
  const services = slots.map(({ service }) => service);
  const spoken = slots.slice(0, maxSpoken).map(({ start, service, practitioner, gender, location }, at): Spoken => ({
    start,
    isSameDay: at > 0 && day(start) === day(slots[at - 1]?.start ?? start),
    service: differ(services) || !isGeneralService(service) ? service : undefined,
    // In Spanish a family name alone needs its title.
    practitioner: phrasing.language === "en" || gender ? shorten(practitioner) : practitioner,
    gender,
    location: hasPlaces ? location : undefined,
  }));
  const withoutService = spoken.map((one): Spoken => ({ ...one, service: undefined }));
  const timesOnly = spoken.map(({ start, isSameDay }): Spoken => ({ start, isSameDay }));
  const texts = [spoken, withoutService, timesOnly].flatMap((offers) => {
    const { times, joined, tail } = join(offers, phrasing);
    return [joined, times.join(say({ en: ". Or ", es: ". O bien, " })) + tail].map((text) => sentence(text, offers.length));
  });
  return texts.find(isShort) ?? texts.at(-2) ?? "";
}
