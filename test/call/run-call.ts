import type { Patient } from "./demo-file.ts";
import { openElevenLabsCall } from "./platforms/elevenlabs.ts";
import { openMcpCall } from "./platforms/mcp.ts";
import { openOpenAiCall } from "./platforms/openai.ts";
import type { Connection, Ending, PhoneCall } from "./phone-call.ts";
import { send, type Exchange } from "./platforms/request.ts";
import { openRetellCall } from "./platforms/retell.ts";
import { scenarios, type ScenarioName } from "./scenarios.ts";
import { talkOver, type Change, type Moment } from "./talk.ts";
import { openVapiCall } from "./platforms/vapi.ts";

export const platforms = {
  vapi: openVapiCall,
  retell: openRetellCall,
  elevenlabs: openElevenLabsCall,
  openai: openOpenAiCall,
  mcp: openMcpCall,
} satisfies Record<string, (connection: Connection) => PhoneCall>;
export type PlatformName = keyof typeof platforms;

const someNumber = "+14155550100";

export type CallOptions = Omit<Connection, "caller" | "called"> & {
  platform: PlatformName;
  scenario: ScenarioName;
  patient: Patient;
  called?: string | undefined;
  tell?: (moment: Moment) => void;
};

export type FinishedCall = {
  origin: string;
  callId: string;
  exchanges: readonly Exchange[];
  moments: Moment[];
  changes: Change[];
  ending: Ending;
};

/** A whole call from ringing to its end report, in its platform's format. Throws CannotCall when it cannot be made. */
export async function runCall(options: CallOptions): Promise<FinishedCall> {
  const { platform, scenario, patient, called = someNumber, tell = () => {}, ...reach } = options;
  const phone = platforms[platform]({ ...reach, caller: (patient.parent ?? patient).phone, called });
  const moments: Moment[] = [];
  const changes: Change[] = [];
  const told = (moment: Moment) => {
    moments.push(moment);
    tell(moment);
  };
  await phone.ring();
  await phone.pickUp();
  told({ kind: "event", text: "The agent picks up." });
  const ending = await scenarios[scenario](talkOver(phone, patient, told, changes));
  const endedReason = await phone.hangUp(ending);
  told({ kind: "event", text: `The call ends: ${endedReason}.` });
  return { origin: reach.origin, callId: phone.callId, exchanges: phone.exchanges, moments, changes, ending };
}

/** Sends every request of a call again, byte for byte, as a platform does after a timeout. */
export async function replay({ origin, exchanges }: Pick<FinishedCall, "origin" | "exchanges">): Promise<Exchange[]> {
  const again: Exchange[] = [];
  for (const { path, headers, body } of exchanges) again.push(await send(origin, { path, headers, body }));
  return again;
}
