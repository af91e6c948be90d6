import type { Change, Moment } from "./talk.ts";

const clock = (at: Date): string => at.toTimeString().slice(0, 8);
const indent = " ".repeat(10);
const name = { patient: "Patient  ", assistant: "Assistant" } as const;

export function linesOf(moment: Moment): string[] {
  const at = clock(moment.at);
  switch (moment.kind) {
    case "line":
      return [`${at}  ${name[moment.who]}  ${moment.text}`];
    case "event":
      return [`${at}  * ${moment.text}`];
    case "tool":
      return [
        `${at}  -> ${moment.tool} ${JSON.stringify(moment.args)}`,
        `${indent}<- ${moment.ok ? "ok" : "no"} (${moment.ms} ms) "${moment.speech}"`,
        ...(moment.found === undefined ? [] : [`${indent}   ${JSON.stringify(moment.found)}`]),
      ];
  }
}

export const linesOfChanges = (changes: Change[], fhirBaseUrl: string | undefined): string[] =>
  changes.length === 0
    ? ["Nothing was booked or changed in the schedule."]
    : changes.map(
        ({ what, appointmentId }) =>
          `Appointment ${appointmentId} was ${what}${fhirBaseUrl === undefined ? "." : `: ${fhirBaseUrl}/Appointment/${appointmentId}`}`,
      );
