import { maxSpoken, sayDate, sayMinutes, sayTime, speakList, speakName } from "../speech/speech-text.ts";
import type { OpenSlot } from "../scheduling/calendar.ts";
import type { Instead, Output, TimeOption, Visit } from "./schema.ts";
import { isGeneralService, speakService } from "../scheduling/services.ts";

const sayDay = (day: string): string => sayDate(`${day}T00:00:00Z`, "UTC");
const weekdayOf = (day: string): string => sayDay(day).split(",")[0] ?? "";

const notAsAsked: Record<Instead, string> = {
  female: "I don't see an opening with a woman",
  male: "I don't see an opening with a man",
  gender: "I can't tell that about our doctors",
  usual: "I don't see an opening with your usual doctor",
  noUsual: "I don't see who your usual doctor is",
  location: "I don't see an opening there",
  noPlaces: "I can't look for one place here",
  service: "I don't find a specialist for that here",
};

const opener = ({ otherDays, otherTimes, closedOn, instead }: Output & { result: "found" }): string => {
  if (instead) return `${notAsAsked[instead]}, but ${instead === "service" ? "for a general visit " : ""}I have`;
  if (closedOn) return `We're closed on ${weekdayOf(closedOn)}s, but I have`;
  if (otherTimes) return "I don't see anything at that time of day, but I have";
  return otherDays ? "I don't see anything on that day, but I have" : "I have";
};

const notFree = ({ isNoOpening, closedOn, instead }: Output & { result: "taken" }): string => {
  if (instead && isNoOpening) return notAsAsked[instead];
  if (closedOn) return `We're closed on ${weekdayOf(closedOn)}s`;
  return isNoOpening ? "There is no opening at that time" : "That time is no longer available";
};

/** Days where they differ, else times. */
function timeOptions(options: readonly TimeOption[]): string[] {
  const days = options.map(({ from, until }) => from && (until === from ? sayDay(from) : `the days from ${sayDay(from)}`));
  if (new Set(days).size > 1) return [...new Set(days)].filter((day) => day !== undefined);
  return options.flatMap(({ time }) => (time === undefined ? [] : sayMinutes(time)));
}

const listed = (all: string[], word: "or" | "and"): string => speakList(all.slice(0, maxSpoken), { word });

export function speak(output: Output, timeZone: string): string {
  const visit = ({ start, service, practitioner, location, requested }: Omit<Visit, "appointmentId"> & { service?: string }): string =>
    [
      sayTime(start, timeZone),
      service && `for ${speakService(service)}`,
      practitioner && `with ${speakName(practitioner)}`,
      location && `at ${location}`,
      requested && output.result !== "requested" && "which the clinic has yet to confirm",
    ]
      .filter(Boolean)
      .join(" ");
  const slots = (open: OpenSlot[]): string => {
    const differ = new Set(open.map(({ service }) => service)).size > 1;
    const placesDiffer = new Set(open.map(({ location }) => location)).size > 1;
    return listed(
      open.map(({ start, practitioner, service, location }) =>
        visit({
          start,
          practitioner,
          service: differ || !isGeneralService(service) ? service : undefined,
          ...(placesDiffer && location ? { location } : {}),
        }),
      ),
      "or",
    );
  };
  const visits = (list: Visit[]): string => listed(list.map(visit), "and");
  const searched = ({ from, until }: { from?: string | undefined; until?: string | undefined }): string => {
    if (until) return `between ${from ? sayDate(from, timeZone) : "now"} and ${sayDate(until, timeZone)}, which is as far as I could look`;
    return from ? `in the two weeks from ${sayDate(from, timeZone)}` : "in the next two weeks";
  };
  switch (output.result) {
    case "found":
      if (output.unknown === "practitioner") return "I don't find a doctor of that name here. Would you like to see someone else?";
      if (output.unknown === "location")
        return `I don't find that place here. We have times at ${listed(output.places ?? [], "and")}. Which one would suit you?`;
      if (output.unknown === "service") return "I don't find that kind of visit here. What else may I look for?";
      if (output.slots.length === 0)
        return `I don't see any open times ${searched(output)}. Would you like to try other dates, or shall I connect you with the office?`;
      return `${opener(output)} ${slots(output.slots)}. Which would you like?`;
    case "taken":
      if (output.slots.length === 0) return `${notFree(output)}, and I don't see another one close to it.`;
      return `${notFree(output)}. I could offer ${slots(output.slots)}. Which would you like?`;
    case "choose":
      return `${output.slots.length === 1 ? "I have" : "There are"} ${slots(output.slots)}. ${output.slots.length === 1 ? "Shall I take that one?" : "Which would you like?"}`;
    case "whichService":
      return `Is that for ${listed(output.services, "or")}?`;
    case "ask":
      if (output.isTooFar) return "I can only look two years ahead. Which day would suit you?";
      return output.options.length === 0
        ? "Which day and time would suit you?"
        : `Do you mean ${speakList(timeOptions(output.options), { word: "or" })}?`;
    case "booked":
      return `You're booked for ${visit(output.appointment)}.`;
    case "already":
      if (output.overlaps)
        return `You already have an appointment at that time: ${visit(output.appointment)}. Would you like another time, or shall I move that one?`;
      return `You're already booked for ${visit(output.appointment)}.`;
    case "enough":
      return output.of === "call"
        ? "I can't make any more appointments in this call. I can connect you with the office for that."
        : "You have several upcoming appointments that were made by phone, so I can't book another one. I can move or cancel one of them, or connect you with the office.";
    case "requested":
      return [
        `I've asked for ${visit(output.appointment)}; the clinic will confirm it.`,
        ...(output.stays ? [`Until then your appointment on ${visit(output.stays)} stands.`] : []),
      ].join(" ");
    case "listed":
      if (output.appointments.length === 0) return "I don't see any upcoming appointments for you.";
      if (output.appointments.length === 1) return `You have one upcoming appointment: ${visits(output.appointments)}.`;
      return `You have ${output.appointments.length} upcoming appointments${output.appointments.length > maxSpoken ? "; the next ones are" : ""}: ${visits(output.appointments)}.`;
    case "rescheduled":
      return `Done. Your appointment is now ${visit(output.appointment)}, instead of ${sayTime(output.replaced.start, timeZone)}.`;
    case "cancelled":
      return `Your appointment on ${visit(output.appointment)} is canceled.`;
    case "which":
      return `You have ${visits(output.appointments)}. Which one would you like to ${output.action}?`;
    case "none":
      return `I don't see an upcoming appointment to ${output.action}.`;
  }
}
