import { spokenLines } from "./spoken-lines.ts";
import type { Change, Moment } from "./talk.ts";
import { toolsInWords } from "./tool-in-words.ts";

const name = { patient: "Patient", assistant: "Agent  " } as const;
const indent = " ".repeat(7);

/** "1:05", into the call. */
const clock = (seconds: number): string => `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, "0")}`.padStart(5);

/** A call's lines, moment by moment, with the time that speech would take. `json`: tools as their requests and answers, else in words. */
export function transcript({ json = false } = {}): (moment: Moment) => string[] {
  const inWords = toolsInWords();
  const spoken = spokenLines();
  return (moment) => {
    const at = clock(spoken.seconds());
    switch (moment.kind) {
      case "line":
        spoken.say(moment.who, moment.text);
        return [`${at}  ${name[moment.who]}  ${moment.text}`];
      case "event":
        return [`${at}  * ${moment.text}`];
      case "tool":
        spoken.pass(moment.ms);
        return json ? asJson(at, moment) : [`${at}  Tool     ${inWords(moment)}`];
    }
  };
}

const asJson = (at: string, { tool, args, ok, ms, speech, found }: Moment & { kind: "tool" }): string[] => [
  `${at}  -> ${tool} ${JSON.stringify(args)}`,
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
