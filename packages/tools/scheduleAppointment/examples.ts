import type { OpenSlot } from "../scheduling/slot-source.ts";
import type { Example } from "../sdk/define-tool.ts";
import type { Questions } from "../speech/questions.ts";
import type { Instead, Output, AppointmentSummary } from "./schema.ts";

const whichAppointment = { en: "On what day is the appointment you mean?", es: "¿De qué día es la cita a la que se refiere?" };

export const questions = {
  action: { en: "Would you like to book, change or cancel an appointment?", es: "¿Desea agendar, cambiar o cancelar una cita?" },
  slotId: { en: "Which of those times would you like?", es: "¿Cuál de esos horarios prefiere?" },
  start: { en: "What day and time would you like?", es: "¿Qué día y a qué hora le gustaría?" },
  date: { en: "What day would you like?", es: "¿Qué día le gustaría?" },
  time: { en: "What time would you like?", es: "¿A qué hora le gustaría?" },
  timeOfDay: { en: "Would you like the morning, the afternoon or the evening?", es: "¿Prefiere en la mañana, en la tarde o en la noche?" },
  practitioner: { en: "Which doctor would you like to see?", es: "¿Con qué médico le gustaría la cita?" },
  service: { en: "What is the visit for?", es: "¿Cuál es el motivo de la consulta?" },
  location: { en: "Which of our offices would suit you?", es: "¿Cuál de nuestros consultorios le conviene?" },
  appointmentId: whichAppointment,
  appointmentDate: whichAppointment,
} as const satisfies Questions;

const offer = (nth: number, start: string, details: Partial<OpenSlot> = {}): OpenSlot => ({
  ...{ slotId: `slot-${nth}`, start, end: start, practitioner: "Dr. Amara Larkmere", location: "Mockford North" },
  ...details,
});
const one = offer(1, "2026-12-01T14:30:00Z");
const two = offer(2, "2026-12-01T19:00:00Z");
const three = offer(3, "2026-12-03T15:00:00Z");
const dunstead = { practitioner: "Dr. Bela Dunstead" };
const south = { location: "Mockford South" };

const visit: AppointmentSummary = {
  gender: "female",
  appointmentId: "a1",
  start: one.start,
  practitioner: "Dr. Amara Larkmere",
  location: "Mockford North",
};
const other: AppointmentSummary = { ...visit, appointmentId: "a2", start: "2026-12-10T18:00:00Z", practitioner: "Dr. Bela Dunstead" };

const patient = "Fiona";
/** To a caller who speaks for Fiona. */
const ofPatient: [situation: string, output: Output][] = [
  ["booked", { result: "booked", appointment: visit }],
  ["asked for", { result: "requested", appointment: visit }],
  ["a move was asked for", { result: "requested", appointment: visit, stays: other }],
  ["this time already", { result: "already", appointment: visit }],
  ["another visit then", { result: "already", appointment: visit, overlaps: true }],
  ["the limit of bookings", { result: "enough", of: "patient" }],
  ["no appointments", { result: "listed", appointments: [] }],
  ["one appointment", { result: "listed", appointments: [visit] }],
  ["several appointments", { result: "listed", appointments: [visit, other] }],
  ["many appointments", { result: "listed", appointments: [visit, other, visit, other] }],
  ["rescheduled", { result: "rescheduled", appointment: visit, replaced: other }],
  ["cancelled", { result: "cancelled", appointment: other }],
  ["whether to cancel this one", { result: "confirm", action: "cancel", appointment: visit }],
  ["whether to reschedule this one", { result: "confirm", action: "reschedule", appointment: other }],
  ["which one to cancel", { result: "which", action: "cancel", appointments: [visit, other] }],
  ["which one to reschedule", { result: "which", action: "reschedule", appointments: [visit, other] }],
  ["none to cancel", { result: "none", action: "cancel" }],
  ["none to reschedule", { result: "none", action: "reschedule" }],
];

const instead: [situation: string, instead: Instead][] = [
  ["No opening with a woman", "female"],
  ["No opening with a man", "male"],
  ["Women and men are not told apart", "gender"],
  ["The usual doctor has no opening", "usual"],
  ["The usual doctor is not known", "noUsual"],
  ["The doctor of the visit that is moved has no other time", "visitDoctor"],
  ["No opening at that place", "location"],
  ["Places are not told apart", "noPlaces"],
  ["No such specialist", "service"],
];
const found = { result: "found", otherDays: false } as const;

export const examples: readonly Example<Output>[] = [
  { situation: "Times with one doctor", output: { ...found, slots: [one, two, three] } },
  { situation: "Times with several doctors", output: { ...found, slots: [one, { ...two, ...dunstead }, three] } },
  { situation: "Times at several locations", output: { ...found, slots: [one, { ...three, ...dunstead, ...south }] } },
  {
    situation: "Times with a woman and a man",
    output: {
      ...found,
      slots: [
        { ...one, gender: "female" },
        { ...two, ...dunstead, gender: "male" },
      ],
    },
  },
  { situation: "One time with a specialist", output: { ...found, slots: [{ ...one, service: "Gynecology Visit" }] } },
  {
    situation: "The asked time is open",
    output: { ...found, slots: [{ ...one, gender: "female" }], asked: { start: one.start, isOpen: true } },
  },
  {
    situation: "The asked time is open, before the caller is verified",
    output: { ...found, slots: [one], asked: { start: one.start, isOpen: true, needsIdentity: true } },
  },
  {
    situation: "The asked time is open, at one of several locations",
    output: { ...found, slots: [one], asked: { start: one.start, isOpen: true, hasPlaces: true } },
  },
  {
    situation: "The asked time is not open",
    output: { ...found, slots: [one, two], asked: { start: "2026-12-01T15:00:00Z", isOpen: false } },
  },
  {
    situation: "The patient has a visit at the asked time",
    output: { ...found, slots: [one, two], asked: { start: "2026-12-01T15:00:00Z", isOpen: false, isOwn: true } },
  },
  { situation: "No more can be booked in the call", output: { ...found, slots: [one, two], limit: "call" } },
  { situation: "No more can be booked for the patient", output: { ...found, slots: [one, two], limit: "patient" } },
  {
    situation: "The asked time is open, but no more can be booked",
    output: { ...found, slots: [one], asked: { start: one.start, isOpen: true }, limit: "patient" },
  },
  { situation: "Nothing on that day", output: { ...found, slots: [two, three], otherDays: true } },
  { situation: "Nothing at that time of day", output: { ...found, slots: [two], otherTimes: true } },
  { situation: "Closed on that day", output: { ...found, slots: [one, two], otherDays: true, closedOn: "2026-11-28" } },
  { situation: "Nothing in two weeks", output: { ...found, slots: [] } },
  { situation: "Nothing in two weeks from a day", output: { ...found, slots: [], otherDays: true, from: one.start } },
  { situation: "Nothing as far as was searched", output: { ...found, slots: [], from: one.start, until: three.start } },
  { situation: "No such doctor", output: { ...found, slots: [], unknown: "practitioner" } },
  { situation: "No such visit", output: { ...found, slots: [], unknown: "service" } },
  { situation: "No such place", output: { ...found, slots: [], unknown: "location", places: ["Mockford North", "Mockford South"] } },
  ...instead.map(([situation, why]): Example<Output> => ({ situation, output: { ...found, slots: [one, two], instead: why } })),
  { situation: "Someone else took the time", output: { result: "taken", slots: [two, three] } },
  { situation: "Someone else took the time, nothing is near", output: { result: "taken", slots: [] } },
  { situation: "There never was such a time", output: { result: "taken", slots: [two, three], isNoOpening: true } },
  { situation: "The clinic is closed then", output: { result: "taken", slots: [two], isNoOpening: true, closedOn: "2026-11-28" } },
  { situation: "A doctor of that kind has no such time", output: { result: "taken", slots: [two], isNoOpening: true, instead: "female" } },
  { situation: "Two specialties fit", output: { result: "whichService", services: ["Cardiology", "Sports Medicine"] } },
  { situation: "A day in three years", output: { result: "ask", options: [], isTooFar: true } },
  { situation: "Several times fit", output: { result: "choose", slots: [one, { ...one, ...dunstead }] } },
  { situation: "One time fits nearly", output: { result: "choose", slots: [three] } },
  { situation: "The fifth of three times", output: { result: "choose", slots: [one, two, three], isBeyond: true } },
  { situation: "A date has two readings", output: { result: "ask", options: [day("2026-11-12"), day("2026-12-11")] } },
  {
    situation: "Until a day, or from that day on",
    output: { result: "ask", options: [{ from: "2026-11-30", until: "2026-12-04" }, { from: "2026-12-04" }] },
  },
  { situation: "A time has two readings", output: { result: "ask", options: [{ time: 9 * 60 }, { time: 21 * 60 }] } },
  { situation: "The time was not understood", output: { result: "ask", options: [] } },
  { situation: "Booked", output: { result: "booked", appointment: visit } },
  { situation: "Booked, and no more can be", output: { result: "booked", appointment: other, isLast: true } },
  { situation: "Asked for", output: { result: "requested", appointment: visit } },
  { situation: "A move was asked for", output: { result: "requested", appointment: visit, stays: other } },
  { situation: "The patient has this time already", output: { result: "already", appointment: visit } },
  { situation: "The patient has another visit then", output: { result: "already", appointment: visit, overlaps: true } },
  { situation: "The limit of bookings in a call", output: { result: "enough", of: "call" } },
  { situation: "The limit of a patient's bookings", output: { result: "enough", of: "patient" } },
  { situation: "No appointments", output: { result: "listed", appointments: [] } },
  { situation: "One appointment", output: { result: "listed", appointments: [visit] } },
  { situation: "One the clinic has yet to confirm", output: { result: "listed", appointments: [{ ...visit, requested: true }] } },
  { situation: "Several appointments", output: { result: "listed", appointments: [visit, other] } },
  { situation: "Many appointments", output: { result: "listed", appointments: [visit, other, visit, other] } },
  { situation: "Rescheduled", output: { result: "rescheduled", appointment: visit, replaced: other } },
  { situation: "Cancelled", output: { result: "cancelled", appointment: visit } },
  { situation: "Whether to cancel this one", output: { result: "confirm", action: "cancel", appointment: visit } },
  { situation: "Whether to reschedule this one", output: { result: "confirm", action: "reschedule", appointment: visit } },
  { situation: "Which one to cancel", output: { result: "which", action: "cancel", appointments: [visit, other] } },
  { situation: "Which one to reschedule", output: { result: "which", action: "reschedule", appointments: [visit, other] } },
  { situation: "Which one of many to cancel", output: { result: "which", action: "cancel", appointments: [visit, other, visit, other] } },
  { situation: "None to cancel", output: { result: "none", action: "cancel" } },
  { situation: "None to reschedule", output: { result: "none", action: "reschedule" } },
  ...ofPatient.map(([situation, output]): Example<Output> => ({
    situation: `For a patient: ${situation}`,
    output: { ...output, patient } as Output,
  })),
];

function day(on: string) {
  return { from: on, until: on };
}
