import { isToolName, toolCatalog } from "@vitaline/contract";
import * as z from "zod/mini";
import { sayDate, sayNumber, sayTime } from "./scenarios/spoken.ts";
import type { Moment } from "./talk.ts";

type Used = Moment & { kind: "tool" };

const deeds: Record<string, string> = {
  verifyPatientIdentity: "Checks who is calling",
  getPatientInfo: "Reads the patient's contact details",
  createPatientFhir: "Registers a patient",
  updatePatientFhir: "Changes the patient's contact details",
  "scheduleAppointment find": "Looks for open times",
  "scheduleAppointment book": "Books an appointment",
  "scheduleAppointment list": "Looks up the patient's appointments",
  "scheduleAppointment reschedule": "Moves an appointment",
  "scheduleAppointment cancel": "Cancels an appointment",
  getPatientClinicalData: "Reads the patient's record",
  getMedicationHistoryFhir: "Reads the patient's medications",
  sendCommunicationFhir: "Leaves the care team a message",
  sendSMS: "Texts the patient",
  sendEmail: "Emails the patient",
  verifyInsurance: "Reads the patient's insurance",
  logRoutingEvent: "Routes the call",
  getFhirProviders: "Looks for doctors",
  getOfficeInfo: "Looks up what the office says about itself",
};

/** "dateOfBirth" → "date of birth". */
const inWords = (name: string): string => name.replace(/[A-Z]+/g, (letters) => ` ${letters.toLowerCase()}`);
const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

const Fields = z.record(z.string(), z.unknown());
const Known = z.object({
  slotId: z.optional(z.string()),
  appointmentId: z.optional(z.string()),
  start: z.string(),
  practitioner: z.optional(z.string()),
});
const Wrong = z.object({ fields: z.record(z.string(), z.string()) });

/** Every object in the data that has an id and a time. */
function visitsIn(value: unknown): z.infer<typeof Known>[] {
  if (Array.isArray(value)) return value.flatMap(visitsIn);
  const fields = z.safeParse(Fields, value).data;
  const own = z.safeParse(Known, value).data;
  return [...(own ? [own] : []), ...Object.values(fields ?? {}).flatMap(visitsIn)];
}

/** Tells what a tool was asked and whether it answered. Ids are told as the times that earlier answers gave them. */
export function toolsInWords(): (used: Used) => string {
  const times = new Map<string, string>();

  const value = (name: string, given: unknown): string | undefined => {
    if (typeof given !== "string") return given === true ? "yes" : given === false ? "no" : JSON.stringify(given);
    const time = times.get(given);
    if (time !== undefined) return time;
    if (name.endsWith("Id") && !given.includes(" ")) return undefined;
    if (/^\d{4}-\d\d-\d\d$/.test(given)) return sayDate(given);
    return /^[a-z_]+$/.test(given) ? given.replaceAll("_", " ") : sayNumber(given);
  };

  return ({ tool, args, ok, found, ms }) => {
    const { action, ...rest } = args as Record<string, unknown>;
    const deed =
      deeds[action === undefined ? tool : `${tool} ${String(action)}`] ??
      (isToolName(tool) ? toolCatalog[tool].title : sentence(inWords(tool)));
    const asked = Object.entries(rest).flatMap(([name, given]) => {
      const told = value(name, given);
      return told === undefined ? [] : [`${inWords(name.replace(/^slotId$/, "time").replace(/Id$/, ""))}: ${told}`];
    });
    for (const { slotId, appointmentId, start, practitioner } of visitsIn(found))
      for (const id of [slotId, appointmentId])
        if (id !== undefined) times.set(id, [sayTime(start), ...(practitioner === undefined ? [] : [`with ${practitioner}`])].join(" "));
    const wrong = Object.entries(z.safeParse(Wrong, found).data?.fields ?? {}).map(([name, what]) => `${inWords(name)} ${what}`);
    const outcome = ok ? "Answered" : wrong.length > 0 ? `Not done, because the ${wrong.join(" and the ")}` : "Not done";
    return `${deed}${asked.length > 0 ? ` (${asked.join("; ")})` : ""}. ${outcome}, in ${ms} ms.`;
  };
}
