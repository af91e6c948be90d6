import { requestOk } from "./client.ts";
import type { PlannedTenant } from "./plan.ts";

type Patient = {
  id: string;
  given: string;
  family: string;
  birthDate: string;
  phone: string;
  zip: string;
  mrn: string;
  parent?: { name: string; phone: string };
};
export type Line = {
  origin: string;
  apiKey: string;
  callId: string;
  patient: Patient;
  /** A repetition of the call returns the slot that was chosen first. */
  settleOn(offered: string | undefined): string | undefined;
};
type Story = PlannedTenant["calls"][number]["story"];
type Ending = { summary: string; success: boolean; endedReason: string };
type Slots = { slots?: { slotId: string }[] };
type Result = { result?: string; metadata?: Slots };

/** A call as Vapi reports it: start, tools, end report. Repeating it under the same id has no effect. */
export async function phone(line: Line, story: Story): Promise<void> {
  // The script runs at once, so the start is set back by the usual length of such a call
  const startedAt = new Date(Date.now() - spokenSeconds[story] * 1000);
  await sendMessage(line, { type: "status-update", status: "in-progress", timestamp: startedAt.getTime() });
  const { summary, success, endedReason } = await stories[story](line);
  await sendMessage(line, {
    type: "end-of-call-report",
    endedReason,
    startedAt: startedAt.toISOString(),
    endedAt: new Date().toISOString(),
    artifact: { transcript: `AI: Thank you for calling. How can I help?\nUser: ${asks[story]}`, messages: [] },
    analysis: { summary, successEvaluation: String(success) },
  });
}

const spokenSeconds: Record<Story, number> = { book: 164, "wrong-person": 52, question: 88 };

const asks: Record<Story, string> = {
  book: "I would like to book an appointment, please.",
  "wrong-person": "I am calling about my appointment.",
  question: "Which contact details do you have for me?",
};

const stories: Record<Story, (line: Line) => Promise<Ending>> = {
  async book(line) {
    await verify(line, line.patient);
    const found = await useTool(line, "scheduleAppointment", { action: "find" });
    const slotId = line.settleOn(found.metadata?.slots?.[0]?.slotId);
    const isBooked = slotId !== undefined && (await bookOneOf(line, [slotId]));
    return isBooked
      ? { summary: "The caller booked the first free appointment.", success: true, endedReason: "customer-ended-call" }
      : { summary: "The caller wanted an appointment and none could be booked.", success: false, endedReason: "customer-ended-call" };
  },
  async "wrong-person"(line) {
    await verify(line, { ...line.patient, birthDate: "1901-01-01" });
    return { summary: "The caller could not be identified.", success: false, endedReason: "customer-ended-call" };
  },
  async question(line) {
    await verify(line, line.patient);
    await useTool(line, "getPatientInfo", {});
    return { summary: "The caller asked which contact details are on file.", success: true, endedReason: "customer-ended-call" };
  },
};

const maxTries = 4;

async function bookOneOf(line: Line, [slotId]: string[], nth = 1): Promise<boolean> {
  if (slotId === undefined || nth > maxTries) return false;
  const { result, metadata } = await useTool(line, "scheduleAppointment", { action: "book", slotId }, nth);
  if (result) return true;
  return bookOneOf(line, metadata?.slots?.map((slot) => slot.slotId) ?? [], nth + 1);
}

const verify = (line: Line, { given, family, birthDate, phone: phoneNumber, parent }: Patient): Promise<Result> =>
  useTool(line, "verifyPatientIdentity", {
    ...{ firstName: given, lastName: family, dateOfBirth: birthDate, phoneNumber },
    ...(parent ? { callingFor: "child", callerName: parent.name, callerPhone: parent.phone } : {}),
  });

const message = ({ callId, patient }: Line, fields: object): object => ({
  message: {
    timestamp: Date.now(),
    call: { id: callId, type: "inboundPhoneCall" },
    customer: { number: (patient.parent ?? patient).phone },
    ...fields,
  },
});

const sendMessage = (line: Line, fields: object): Promise<unknown> =>
  requestOk(line.origin, "POST /api/vapi/server", { token: line.apiKey, body: message(line, fields) });

async function useTool(line: Line, name: string, args: Record<string, string>, nth = 1): Promise<Result> {
  const toolCallId = [line.callId, name, args["action"], nth > 1 && String(nth)].filter(Boolean).join("-");
  const body = message(line, {
    type: "tool-calls",
    toolCallList: [{ id: toolCallId, type: "function", function: { name, arguments: JSON.stringify(args) } }],
  });
  const { results } = await requestOk<{ results: Result[] }>(line.origin, "POST /api/vapi/tool-call", { token: line.apiKey, body });
  return results[0] ?? {};
}
