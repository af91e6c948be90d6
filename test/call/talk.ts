import type { Patient } from "./demo-file.ts";
import type { PhoneCall, ToolReply } from "./phone-call.ts";
import type { Speaker } from "./spoken-lines.ts";

type Spoken = { kind: "line"; who: Speaker; text: string };
type Used = { kind: "tool"; tool: string; args: object } & ToolReply;
type MomentEvent = { kind: "event"; text: string };
export type Moment = Spoken | Used | MomentEvent;

export type Change = { what: "booked" | "rescheduled" | "cancelled"; appointmentId: string };

/** Speaks both sides, calls real tools, and reports each moment. */
export type Talk = {
  patient: Patient;
  caller(text: string): void;
  assistant(text: string): void;
  useTool(tool: string, args: object): Promise<ToolReply>;
  transfer(number: string): Promise<void>;
  changed(change: Change): void;
};

export function talkOver(phone: PhoneCall, patient: Patient, tell: (moment: Moment) => void, changes: Change[]): Talk {
  const speak = (who: Spoken["who"]) => (text: string) => {
    phone.say(who, text);
    tell({ kind: "line", who, text });
  };
  const assistant = speak("assistant");
  return {
    patient,
    caller: speak("patient"),
    assistant,
    async useTool(tool, args) {
      const reply = await phone.useTool(tool, args);
      tell({ kind: "tool", tool, args, ...reply });
      assistant(reply.speech);
      return reply;
    },
    async transfer(number) {
      await phone.transfer(number);
      tell({ kind: "event", text: `The call is transferred to ${number}.` });
    },
    changed: (change) => void changes.push(change),
  };
}
