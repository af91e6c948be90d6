import type { MessageChannel, ToolName } from "@vitaline/contract";
import { defineTool, type Tool } from "../sdk/define-tool.ts";
import { isRetry } from "../sdk/run.ts";
import { appointmentScopes, placeScopes } from "./appointment-visit.ts";
import { inputFor, Output, isAboutVisit } from "./schema.ts";
import { examplesFor, questionsFor } from "./examples.ts";
import { speak } from "./speak.ts";
import { mayStillSend, send } from "./send.ts";

export const messageTool = (channel: MessageChannel, { name, what }: { name: ToolName; what: string }): Tool =>
  defineTool({
    name,
    description: [
      `Send the verified caller ${what} with the clinic's own text. purpose:`,
      "appointment_confirmation or appointment_reminder (their next appointment, or the one of appointmentId),",
      "directions (the clinic's address), callback (the number to call back), follow_up, or general (how to reach the clinic).",
      "It goes to the contact on file; `to` chooses another one that is on file. Never put anything about health into `message`.",
      "action opt_out when the caller wants no more of these messages, opt_in to allow them again.",
      "Needs verifyPatientIdentity. Outside business hours it is sent when the office opens, and the answer says when.",
    ].join(" "),
    input: inputFor(channel),
    output: Output,
    effect: "write",
    // Each message is claimed in packages/messages.
    deduplication: "ownLock",
    level: 1,
    patientRecord: true,
    matter: (input) => (isAboutVisit(input) ? "appointments" : "messages"),
    scopes: ["system/Patient.rs"],
    optionalScopes: [...appointmentScopes, ...placeScopes],
    requests: (input) => [
      "read Patient",
      ...(isAboutVisit(input) ? [input.appointmentId ? "read Appointment" : "search Appointment"] : []),
    ],
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
    run: (run, input) => send(run, channel, input),
    // A message that went out, or will, is not reported to a contact that has opted out since.
    isStillValid: async (run, input, { result }, askedAtMs) =>
      result !== "stopped" && result !== "resumed" && isRetry(run, askedAtMs) && (await mayStillSend(run, channel, input)),
    speak,
    questions: questionsFor(channel),
    examples: examplesFor(channel),
  });
