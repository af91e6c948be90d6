import type { Patient } from "./demo-file.ts";
import { scenarios, type ScenarioName } from "./scenarios.ts";
import { send, type Exchange, type Line } from "./request.ts";
import { talkOver, type Change, type Moment } from "./talk.ts";
import { openVapiCall } from "./vapi.ts";

export const platforms = { vapi: openVapiCall };
export type PlatformName = keyof typeof platforms;

export type CallOptions = Line & {
  platform: PlatformName;
  scenario: ScenarioName;
  patient: Patient;
  /** Told of every moment as it happens. */
  tell?: (moment: Moment) => void;
};

export type FinishedCall = {
  line: Line;
  callId: string;
  /** Every request in the order sent, with its answer. */
  exchanges: readonly Exchange[];
  moments: Moment[];
  changes: Change[];
};

/** One whole call, from ringing to its end report, with each request sent as its platform sends it. CannotCall when it cannot be made. */
export async function runCall({ origin, apiKey, platform, scenario, patient, tell = () => {} }: CallOptions): Promise<FinishedCall> {
  const line = { origin, apiKey };
  const phone = platforms[platform](line, patient.phone);
  const moments: Moment[] = [];
  const changes: Change[] = [];
  const told = (moment: Moment) => {
    moments.push(moment);
    tell(moment);
  };
  await phone.ring();
  await phone.pickUp();
  told({ at: new Date(), kind: "event", text: "The assistant picks up." });
  const ending = await scenarios[scenario](talkOver(phone, patient, told, changes));
  await phone.hangUp(ending);
  told({ at: new Date(), kind: "event", text: `The call ends: ${ending.endedReason}.` });
  return { line, callId: phone.callId, exchanges: phone.exchanges, moments, changes };
}

/** Sends every request of a call once more, in its order and word for word, as a platform does that got no answer. */
export async function replay({ line, exchanges }: Pick<FinishedCall, "line" | "exchanges">): Promise<Exchange[]> {
  const again: Exchange[] = [];
  for (const { path, body } of exchanges) again.push(await send(line, { path, body }));
  return again;
}
