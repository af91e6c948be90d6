import type { Change, Moment } from "./talk.ts";
import { toolsInWords } from "./tool-in-words.ts";

const clock = (at: Date): string => at.toTimeString().slice(0, 8);
const indent = " ".repeat(10);
const name = { patient: "Patient", assistant: "Agent  " } as const;

/** A call's lines, moment by moment. `json`: tools as their requests and answers, else in words. */
export function transcript({ json = false } = {}): (moment: Moment) => string[] {
  const inWords = toolsInWords();
  return (moment) => {
    const at = clock(moment.at);
    switch (moment.kind) {
      case "line":
        return [`${at}  ${name[moment.who]}  ${moment.text}`];
      case "event":
        return [`${at}  * ${moment.text}`];
      case "tool":
        return json ? asJson(moment) : [`${at}  Tool     ${inWords(moment)}`];
    }
  };
}

const asJson = ({ at, tool, args, ok, ms, speech, found }: Moment & { kind: "tool" }): string[] => [
  `${clock(at)}  -> ${tool} ${JSON.stringify(args)}`,
  `${indent}<- ${ok ? "ok" : "no"} (${ms} ms) "${speech}"`,
  ...(found === undefined ? [] : [`${indent}   ${JSON.stringify(found)}`]),
];

export const linesOfChanges = (changes: Change[], fhirBaseUrl: string | undefined): string[] =>
  changes.length === 0
    ? ["Nothing was booked or changed in the schedule."]
    : changes.map(
        ({ what, appointmentId }) =>
          `Appointment ${appointmentId} was ${what}${fhirBaseUrl === undefined ? "." : `: ${fhirBaseUrl}/Appointment/${appointmentId}`}`,
      );
