import { verifyApiKey } from "@vitaline/api-keys";
import type { Actor } from "@vitaline/core";
import { keys } from "@vitaline/store";
import type { VoiceProviderType } from "@vitaline/contract";
import { handleMessage } from "../../functions/voice/handler.ts";
import type { PhoneCall } from "../call/phone-call.ts";
import { openElevenLabsCall } from "../call/platforms/elevenlabs.ts";
import type { Post } from "../call/platforms/request.ts";
import { openRetellCall } from "../call/platforms/retell.ts";
import { openVapiCall } from "../call/platforms/vapi.ts";
import { type Moment, talkOver } from "../call/talk.ts";
import type { PlannedCall } from "./calendar.ts";
import type { DemoClock } from "./clock.ts";
import { actingAs, asAdmin, anonymous } from "./contexts.ts";
import { isOut } from "./health.ts";
import type { Job } from "./job.ts";
import type { Records } from "./records.ts";
import { isAboutChild, scriptOf } from "./stories.ts";

const open = { vapi: openVapiCall, retell: openRetellCall, elevenlabs: openElevenLabsCall };
const types: Record<string, VoiceProviderType> = { vapi: "vapi", retell: "retellai", elevenlabs: "elevenlabs" };

/** Loudly spoken English; a pause follows each line. */
const wordsPerSecond = 2.5;
const pauseSeconds = 0.6;
const secondsBetweenCalls = 25;
/** Of calls with tools, those in which the record system does not answer for a moment. */
const brokenShare = 0.04;

/** Plays calls one after the other by the demo's clock, through the code that serves voice platforms. */
export async function openPlayer(job: Job, clock: DemoClock, records: Records) {
  const { clinic } = job;
  const { id: tenantId } = clinic;
  const { keyId } = await verifyApiKey(actingAs(job, anonymous, clock).platform, [clinic.apiKey]);

  /** What functions/voice does with a request whose key or signature is valid. */
  const post =
    (random: () => number): Post =>
    async (_, { path, headers, body }) => {
      const [, , name = "", what, which] = path.split("/");
      const type = types[name];
      if (!type) throw new Error(`No platform posts to ${path}`);
      const hookId = what === "hook" ? which : undefined;
      const actor: Actor = hookId ? { kind: "voice_provider", id: hookId, tenantId } : { kind: "api_key", id: keyId, tenantId };
      const named = new Map(Object.entries(headers).map(([header, value]) => [header.toLowerCase(), value]));
      const ctx = { ...actingAs(job, actor, clock).tenant, keyUseWritten: Promise.resolve(), header: (one: string) => named.get(one) };
      const params = hookId ? { voiceProviderId: hookId } : what === "tool" && which ? { toolName: which } : {};
      const answer: unknown = await handleMessage(
        { ...ctx, voiceProviderId: hookId ?? "" },
        type,
        JSON.parse(JSON.stringify(body)),
        params,
      );
      const ms = Math.round(350 + 900 * random());
      clock.pass(ms / 1000);
      return {
        path,
        headers,
        body,
        at: new Date(),
        ms,
        status: 200,
        answer: answer === undefined ? undefined : JSON.parse(JSON.stringify(answer)),
      };
    };

  const place = (name: PlannedCall["platform"], callId: string) => keys.call(keys.callKeyOf(types[name] ?? name, callId));
  const rowOf = ({ id, platform }: PlannedCall) => asAdmin(job, clock).store.get(place(platform, id));

  const phoneFor = ({ id, platform, office, random }: PlannedCall, caller: string): PhoneCall => {
    const account = clinic.accounts[platform];
    const called = platform === "retell" ? account.calledNumber : (clinic.officeNumbers[office] ?? account.calledNumber);
    return open[platform]({
      origin: job.origin,
      apiKey: clinic.apiKey,
      caller,
      called,
      account,
      fixedAgentId: account.agentId,
      callId: id,
      post: post(random),
    });
  };

  const tellTime = (moment: Moment): void => {
    if (moment.kind === "line") clock.pass(moment.text.split(/\s+/).filter(Boolean).length / wordsPerSecond + pauseSeconds);
  };

  return {
    /** The clinics share one, whose probes the first counts. */
    recordSystem: async () =>
      clinic.number === 0 ? (await asAdmin(job, clock).store.get(keys.tenantConfig()))?.fhirProviderId : undefined,
    /** Whether the call was played before, and whether to its end. */
    async state(call: PlannedCall): Promise<"new" | "begun" | "ended"> {
      const row = await rowOf(call);
      return row === undefined ? "new" : row.endSeenAt === undefined ? "begun" : "ended";
    },
    async play(call: PlannedCall): Promise<void> {
      const { story, random, startsAtMs } = call;
      clock.pass(secondsBetweenCalls);
      clock.at(startsAtMs);
      const people = isAboutChild(story) ? records.children : records.patients;
      const patient = people[Math.floor(random() * people.length)]!;
      const [given, family] = [records.patients, records.patients].map((list) => list[Math.floor(random() * list.length)]!);
      const stranger = {
        name: `${given!.given} ${family!.family}`,
        number: `617 555 01${String(Math.floor(random() * 100)).padStart(2, "0")}`,
      };
      const isBroken = random() < brokenShare || isOut(job.startDay, startsAtMs);
      const parent = "parent" in patient ? (patient.parent as { phone: string }) : undefined;
      const phone = phoneFor(call, (parent ?? patient).phone);
      if (isBroken) await records.breakFor(isOut(job.startDay, startsAtMs) ? 50 : 4);
      await phone.pickUp();
      const talk = talkOver(phone, patient, tellTime, []);
      const ending = await scriptOf(story, { stranger, random })(talk);
      await phone.hangUp(ending);
      if (isBroken) await records.mend();
    },
    /** A call that was cut off when the platform was stopped has no effect twice: it ends as a dropped one. */
    async end(call: PlannedCall): Promise<void> {
      clock.at(call.startsAtMs);
      clock.pass(secondsBetweenCalls);
      const phone = phoneFor(call, "+16175550100");
      await phone.hangUp({ summary: "The line was cut.", success: false });
    },
  };
}
