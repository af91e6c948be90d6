import type { TenantRow } from "@vitaline/store";
import { sayTime } from "./local-time.ts";
import type { OpenSlot, Output, Visit } from "./output.ts";

const spokenAtOnce = 3;

/** One line for a voice, in the tenant's own time. */
export function speak(output: Output, { timeZone }: TenantRow): string {
  const visit = ({ start, practitioner, location }: Omit<Visit, "appointmentId">): string =>
    [sayTime(start, timeZone), practitioner && `with ${practitioner}`, location && `at ${location}`].filter(Boolean).join(" ");
  const slots = (open: OpenSlot[]): string =>
    joined(
      open.map(({ start, practitioner }) => visit({ start, practitioner })),
      "or",
    );
  const visits = (list: Visit[]): string => joined(list.map(visit), "and");
  switch (output.result) {
    case "found":
      if (output.slots.length === 0)
        return "I don't see any open times in the next two weeks. Would you like to try other dates, or shall I connect you with the office?";
      return `${output.otherDays ? "I don't see anything on that day, but I have" : "I have"} ${slots(output.slots)}. Which would you like?`;
    case "taken":
      if (output.slots.length === 0) return "That time isn't available any more, and I don't see another one close to it.";
      return `That time isn't available any more. I could offer ${slots(output.slots)}. Which would you like?`;
    case "booked":
      return `You're booked for ${visit(output.appointment)}.`;
    case "already":
      return `You're already booked for ${visit(output.appointment)}.`;
    case "requested":
      return `I've requested ${visit(output.appointment)}. The office will confirm it.`;
    case "listed":
      if (output.appointments.length === 0) return "I don't see any upcoming appointments for you.";
      if (output.appointments.length === 1) return `You have one upcoming appointment: ${visits(output.appointments)}.`;
      return `You have ${output.appointments.length} upcoming appointments${output.appointments.length > spokenAtOnce ? "; the next ones are" : ""}: ${visits(output.appointments)}.`;
    case "rescheduled":
      return `Done. Your appointment is now ${visit(output.appointment)}, instead of ${sayTime(output.replaced.start, timeZone)}.`;
    case "cancelled":
      return `Your appointment on ${visit(output.appointment)} is cancelled.`;
    case "which":
      return `You have ${visits(output.appointments)}. Which one would you like to ${output.action}?`;
    case "none":
      return `I don't see an upcoming appointment to ${output.action}.`;
  }
}

const joined = (all: string[], word: "or" | "and"): string => {
  const parts = all.slice(0, spokenAtOnce);
  return parts.length < 2 ? parts.join("") : `${parts.slice(0, -1).join("; ")}; ${word} ${parts.at(-1)}`;
};
