import { maxSpoken, speakList } from "../speech/speech-text.ts";
import { speakName } from "../speech/names.ts";
import { sayDate, sayTime } from "../speech/say-time.ts";
import type { OpenSlot } from "../scheduling/calendar.ts";
import type { Output, Visit } from "./schema.ts";
import { isGeneralService, speakService } from "../scheduling/services.ts";

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
    return listed(
      open.map(({ start, practitioner, service }) =>
        visit({ start, practitioner, service: differ || !isGeneralService(service) ? service : undefined }),
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
      if (output.unknown === "service") return "I don't find that kind of visit here. What else may I look for?";
      if (output.slots.length === 0)
        return `I don't see any open times ${searched(output)}. Would you like to try other dates, or shall I connect you with the office?`;
      return `${output.otherDays ? "I don't see anything on that day, but I have" : "I have"} ${slots(output.slots)}. Which would you like?`;
    case "taken":
      if (output.slots.length === 0) return "That time is no longer available, and I don't see another one close to it.";
      return `That time is no longer available. I could offer ${slots(output.slots)}. Which would you like?`;
    case "choose":
      return `${output.slots.length === 1 ? "I have" : "There are"} ${slots(output.slots)}. ${output.slots.length === 1 ? "Shall I take that one?" : "Which would you like?"}`;
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
