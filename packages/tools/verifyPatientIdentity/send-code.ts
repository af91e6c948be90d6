import { randomInt } from "node:crypto";
import { allDone, AppError } from "@vitaline/core";
import { contactOf, hintOf, sendOneTimeCode } from "@vitaline/messages";
import { type CallCodeRow, type CountRow, keys, update } from "@vitaline/store";
import type { ContactPoint, Patient } from "fhir/r4.js";
import { wasChangedLately } from "../patient/contact-changes.ts";
import { patientOf } from "../patient/assert-own-patient.ts";
import type { Ran, Run } from "../sdk/run.ts";
import { hidden } from "../sdk/keyed-hash.ts";
import { isCurrent } from "../patient/contact-points.ts";
import type { Channel, Output } from "./schema.ts";

const lifetimeMs = 5 * 60_000;
const codesPerCall = 2;
const codesPerPatientAnHour = 5;
const hourMs = 3_600_000;
export const triesPerCode = 3;
const keptSeconds = 4 * 3600;

/** Bound to the call, so that a code is worth nothing in another one. */
export const hashOf = ({ ctx, call }: Run, code: string): string => hidden("attempts", ctx.tenantId, ["code", call.callKey, code]);

/**
 * Sends six digits to a contact point that the verified patient had on file before, and was not put there in a call lately.
 * AppError `contact_not_on_file`, `not_doable` after two codes in the call or five in an hour, and as sendOneTimeCode.
 */
export async function sendCode(run: Run, channel: Channel): Promise<Ran<Output>> {
  const { ctx, call, tenant, state, requestKey, providerId = "" } = run;
  const patientId = patientOf(run);
  const key = keys.callCode(call.callKey);
  const [row, to] = await allDone([ctx.store.get<CallCodeRow>(key), trusted(run, channel)]);
  const answer: Ran<Output> = {
    output: { verified: true, level: state?.level ?? 1, attemptsLeft: triesPerCode, codeSentTo: masked(channel, to) },
    patientId,
  };
  if (row?.sentBy === requestKey && isDeliveredAgain(run, row)) return { ...answer, repeated: true };
  if ((row?.sent ?? 0) >= codesPerCall || !(await isAllowed(run))) throw new AppError("not_doable", "Enough codes were sent.");

  const code = String(randomInt(10 ** 6)).padStart(6, "0");
  const nowMs = ctx.clock().getTime();
  const taken = await ctx.store.note(
    update<CallCodeRow>(
      key,
      {
        set: {
          hash: hashOf(run, code),
          patientId,
          providerId,
          endsAtMs: nowMs + lifetimeMs,
          sentBy: requestKey,
          tries: 0,
          expiresAt: Math.floor(nowMs / 1000) + keptSeconds,
        },
        add: { sent: 1 },
      },
      row?.sent === undefined ? { absent: ["sent"] } : { equals: { sent: row.sent } },
    ),
  );
  if (!taken) throw new AppError("in_progress", "Another code is being sent.");
  const { detail } = await sendOneTimeCode(ctx, tenant, { channel, to, code, callKey: call.callKey }).catch(async (error: unknown) => {
    // The same request may try again; that it counts stays.
    await ctx.store.note(update<CallCodeRow>(key, { remove: ["hash", "sentBy"] }, { equals: { sentBy: requestKey } }));
    throw error;
  });
  return { ...answer, detail: { action: "sendCode", ...detail } };
}

const redeliveredMs = 5000;

/** Without an id of the tool call, "send it again" has the same words: only what comes at once, before the code was tried, is no new wish. */
function isDeliveredAgain({ ctx, call }: Run, { hash, tries, endsAtMs = 0 }: CallCodeRow): boolean {
  const ageMs = ctx.clock().getTime() - (endsAtMs - lifetimeMs);
  return call.toolCallId !== undefined || (hash !== undefined && !tries && ageMs < redeliveredMs);
}

/** The one to try first: a mobile phone gets text messages, others may. */
const inOrder = (a: ContactPoint, b: ContactPoint): number =>
  Number(b.use === "mobile") - Number(a.use === "mobile") || (a.rank ?? Infinity) - (b.rank ?? Infinity) || 0;

async function trusted(run: Run, channel: Channel): Promise<string> {
  const { telecom = [] }: Patient = await run.chart();
  const system = channel === "sms" ? "phone" : "email";
  const onFile = telecom.filter((one) => one.system === system && isCurrent(one, run.ctx.clock()));
  const who = { ctx: run.ctx, providerId: run.providerId ?? "", patientId: patientOf(run) };
  for (const { value = "" } of onFile.toSorted(inOrder)) {
    const to = contactOf(channel, value);
    if (to && !(await wasChangedLately(who, to))) return to;
  }
  throw new AppError("contact_not_on_file", "No contact on file may get a code.");
}

const masked = (channel: Channel, to: string): string =>
  channel === "sms" ? `the phone ending in ${hintOf(channel, to)}` : `the email address starting with the letter ${hintOf(channel, to)}`;

/** Counts a code of this patient in this hour. */
async function isAllowed({ ctx, providerId = "", ...run }: Run): Promise<boolean> {
  const nowMs = ctx.clock().getTime();
  const subject = hidden("attempts", ctx.tenantId, ["code", providerId, run.state?.patientId ?? ""]);
  const key = keys.attempts("code", subject, String(Math.floor(nowMs / hourMs)));
  const counted = await ctx.store.note<CountRow>(update(key, { add: { count: 1 }, set: { expiresAt: Math.ceil(nowMs / 1000) + 7200 } }));
  return (counted?.count ?? 0) <= codesPerPatientAnHour;
}
