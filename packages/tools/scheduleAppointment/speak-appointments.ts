import { isGeneralService, speakService } from "../scheduling/matching.ts";
import type { OpenSlot } from "../scheduling/slot-source.ts";
import type { Phrasing } from "../sdk/phrasing.ts";
import { isShort, longestOf, maxSpoken } from "../speech/phrasing.ts";
import type { AppointmentSummary, Output } from "./schema.ts";

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
function sayAppointment(
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

type Change = Extract<Output, { patient?: string | undefined }>;
type Result<Name extends Change["result"]> = Extract<Change, { result: Name }>;

/** With doctor and place as far as that can be followed. */
function sayVisit(appointment: AppointmentSummary, sentence: (appointment: AppointmentSummary) => string): string {
  const { location: _location, ...withoutPlace } = appointment;
  const { practitioner: _practitioner, ...timeOnly } = withoutPlace;
  const texts = [appointment, withoutPlace, timeOnly].map(sentence);
  return texts.find(isShort) ?? texts.at(-1) ?? "";
}

/** What became of the appointments. A caller who speaks for the patient hears the patient's name. */
export function sayChange(output: Change, phrasing: Phrasing): string {
  const { say, offerOffice: office } = phrasing;
  const { patient } = output;
  switch (output.result) {
    case "booked":
      return sayBooked(output, phrasing);
    case "already":
      return sayAlready(output, phrasing);
    case "enough":
      if (output.of === "call")
        return say({
          en: `I can't make any more appointments for ${patient ?? "you"} in this call. ${office}`,
          es: `Ya no puedo agendar más citas para ${patient ?? "usted"} en esta llamada. ${office}`,
        });
      return say({
        en: `${patient ? `${patient} has` : "You have"} several upcoming appointments that were made by phone, so I can't book another one. I can move or cancel one of them.`,
        es: `${patient ? `${patient} ya` : "Ya"} tiene varias citas agendadas por teléfono, así que no puedo agendar otra. Puedo cambiar o cancelar alguna de ellas.`,
      });
    case "requested":
      return sayRequested(output, phrasing);
    case "listed":
      return sayListed(output, phrasing);
    case "rescheduled":
      return sayRescheduled(output, phrasing);
    case "cancelled":
      return sayVisit(output.appointment, (appointment) =>
        say({
          en: `${whose(patient).en} appointment ${sayAppointment(appointment, phrasing, { word: "on" })} is canceled.`,
          es: `${whose(patient).es} ${patient ? "para" : "de"} ${sayAppointment(appointment, phrasing)} queda cancelada.`,
        }),
      );
    case "confirm":
      return sayConfirm(output, phrasing);
    case "which":
      return sayWhich(output, phrasing);
    case "none":
      return sayNone(output, phrasing);
  }
}

/** "Your appointment", "Fiona's appointment". */
const whose = (patient: string | undefined) =>
  patient ? { en: `${patient}'s`, es: `La cita de ${patient}` } : { en: "Your", es: "Su cita" };

function sayBooked({ appointment, isLast, patient }: Result<"booked">, phrasing: Phrasing): string {
  const { say } = phrasing;
  const booked = sayVisit(appointment, (one) => {
    const visit = sayAppointment(one, phrasing);
    return say({
      en: `${patient ? `${patient} is` : "You're"} booked for ${visit}.`,
      es: `${whose(patient).es} queda agendada para ${visit}.`,
    });
  });
  const last = say({
    en: `That's as many as I can book for ${patient ?? "you"} by phone.`,
    es: `Por teléfono ya no puedo agendar más para ${patient ?? "usted"}.`,
  });
  return isLast ? `${booked} ${last}` : booked;
}

function sayRescheduled({ appointment, replaced, patient }: Result<"rescheduled">, phrasing: Phrasing): string {
  const { say } = phrasing;
  const before = phrasing.time(replaced.start);
  const done = say({ en: "Done.", es: "Listo." });
  return sayVisit(appointment, (one) => {
    const visit = sayAppointment(one, phrasing);
    const now = { en: `${whose(patient).en} appointment is now ${visit}`, es: `${whose(patient).es} ahora es ${visit}` };
    const inOne = say({ en: `${done} ${now.en}, instead of ${before}.`, es: `${done} ${now.es}, en lugar de ${before}.` });
    return isShort(inOne) ? inOne : say({ en: `${done} ${now.en}. It was ${before}.`, es: `${done} ${now.es}. Antes era ${before}.` });
  });
}

function sayAlready({ appointment, overlaps, patient }: Result<"already">, phrasing: Phrasing): string {
  const { say } = phrasing;
  return sayVisit(appointment, (one) => {
    const visit = sayAppointment(one, phrasing);
    if (overlaps)
      return say({
        en: `${patient ? `${patient} already has` : "You already have"} an appointment at that time: ${visit}. Would you like another time?`,
        es: `A esa hora ${patient ? `${patient} ya` : "ya"} tiene una cita: ${visit}. ¿Desea otro horario?`,
      });
    return say({
      en: `${patient ? `${patient} is` : "You're"} already booked for ${visit}.`,
      es: `${patient ? `${patient} ya tiene` : "Ya tiene"} su cita para ${visit}.`,
    });
  });
}

function sayRequested({ appointment, stays, patient }: Result<"requested">, phrasing: Phrasing): string {
  const { say } = phrasing;
  const asked = sayVisit(appointment, (one) => {
    const plain = sayAppointment(one, phrasing, { isPlain: true });
    const visit = patient ? say({ en: `${plain} for ${patient}`, es: plain }) : plain;
    return say({
      en: `I've asked for ${visit}; the clinic will confirm it.`,
      es: `Pedí ${patient ? `la cita de ${patient}` : "su cita"} para ${visit}; la clínica la confirmará.`,
    });
  });
  if (!stays) return asked;
  return say({
    en: `${asked} Until then ${patient ? `${patient}'s` : "your"} appointment ${phrasing.onTime(stays.start)} stands.`,
    es: `${asked} Mientras tanto sigue en pie ${patient ? "la" : "su"} cita de ${phrasing.time(stays.start)}.`,
  });
}

function sayConfirm({ action, appointment, patient }: Result<"confirm">, phrasing: Phrasing): string {
  const { say } = phrasing;
  const question = action === "cancel" ? { en: "Shall I cancel it?", es: "¿La cancelo?" } : { en: "Shall I move it?", es: "¿La cambio?" };
  return sayVisit(appointment, (one) => {
    const [visit, on] = [sayAppointment(one, phrasing), sayAppointment(one, phrasing, { word: "on" })];
    if (!patient) return say({ en: `That's ${visit}. ${question.en}`, es: `Es la de ${visit}. ${question.es}` });
    return say({
      en: `That's ${patient}'s appointment ${on}. ${question.en}`,
      es: `Es la cita de ${patient} para ${visit}. ${question.es}`,
    });
  });
}

function sayListed({ appointments, patient }: Result<"listed">, phrasing: Phrasing): string {
  const { say } = phrasing;
  const count = appointments.length;
  if (count === 0)
    return patient
      ? say({ en: `I don't see any upcoming appointments for ${patient}.`, es: `No veo citas próximas de ${patient}.` })
      : say({ en: "I don't see any upcoming appointments for you.", es: "No veo citas próximas a su nombre." });
  const has = patient ? { en: `${patient} has`, es: `${patient} tiene` } : { en: "You have", es: "Tiene" };
  return sayApart(appointments, phrasing, (said, most) => {
    if (count === 1) return say({ en: `${has.en} one upcoming appointment: ${said}.`, es: `${has.es} una cita próxima: ${said}.` });
    if (most === count)
      return say({ en: `${has.en} ${count} upcoming appointments: ${said}.`, es: `${has.es} ${count} citas próximas: ${said}.` });
    return say({
      en: `${has.en} ${count} upcoming appointments; the next are ${said}.`,
      es: `${has.es} ${count} citas próximas, las siguientes son ${said}.`,
    });
  });
}

function sayWhich({ appointments, action, patient }: Result<"which">, phrasing: Phrasing): string {
  const { say } = phrasing;
  const verb = { en: action === "cancel" ? "cancel" : "reschedule", es: action === "cancel" ? "cancelar" : "cambiar" };
  const has = patient ? { en: `${patient} has`, es: `${patient} tiene` } : { en: "You have", es: "Tiene" };
  const count = appointments.length;
  return sayApart(appointments, phrasing, (said, most) => {
    if (most < count)
      return say({
        en: `${has.en} ${count} upcoming appointments; the next are ${said}. Which one would you like to ${verb.en}?`,
        es: `${has.es} ${count} citas próximas, las siguientes son ${said}. ¿Cuál desea ${verb.es}?`,
      });
    return say({ en: `${has.en} ${said}. Which one would you like to ${verb.en}?`, es: `${has.es} cita ${said}. ¿Cuál desea ${verb.es}?` });
  });
}

function sayNone({ action, patient }: Result<"none">, { say }: Phrasing): string {
  const [en, es] = patient ? [` for ${patient}`, ` de ${patient}`] : ["", ""];
  return action === "cancel"
    ? say({ en: `I don't see an upcoming appointment${en} to cancel.`, es: `No veo ninguna cita próxima${es} para cancelar.` })
    : say({ en: `I don't see an upcoming appointment${en} to reschedule.`, es: `No veo ninguna cita próxima${es} para cambiar.` });
}

/** With doctors and places if that is short; else the times, which tell them apart. */
function sayApart(
  appointments: readonly AppointmentSummary[],
  phrasing: Phrasing,
  sentence: (said: string, count: number) => string,
): string {
  const { list, time } = phrasing;
  const next = appointments.slice(0, maxSpoken);
  const whole = sentence(list(next.map((one) => sayAppointment(one, phrasing, { at: time }))), next.length);
  if (isShort(whole)) return whole;
  return longestOf(next.length, (most) =>
    sentence(
      list(
        next
          .slice(0, most)
          .map(({ appointmentId, start, requested }) => sayAppointment({ appointmentId, start, requested }, phrasing, { at: time })),
      ),
      most,
    ),
  );
}
