import { randomInt } from "node:crypto";
import { awaitAllThenThrow, AppError } from "@vitaline/core";
import { contactHint, sendOneTimeCode } from "@vitaline/messages";
import { type CallCodeRow, type CountRow, keys, update } from "@vitaline/store";
import { wasChangedRecently } from "../../patient/contact-changes.ts";
import { contactPointsFor } from "../../patient/contact-fields.ts";
import { patientIdOf } from "../../patient/chart.ts";
import type { RunResult, Run } from "../../sdk/run.ts";
import { isScopedHash, scopedHash } from "../../sdk/keyed-hash.ts";
import { textLanguage } from "../../patient/patient-language.ts";
import type { Channel, Output } from "../schema.ts";

const lifetimeMs = 5 * 60_000;
const codesPerCall = 2;
const codesPerPatientAnHour = 5;
const hourMs = 3_600_000;
export const triesPerCode = 3;
const keptSeconds = 4 * 3600;

/** Includes the call, so that a code is worthless in another call. */
const codeHash = ({ ctx, call }: Run, code: string): string => scopedHash("one-time-code", ctx.tenantId, ["code", call.callKey, code]);

/** In the same time for a call without a code. */
export const isCode = (run: Run, code: string, hash: string = codeHash(run, "")): boolean =>
  isScopedHash(hash, "one-time-code", run.ctx.tenantId, ["code", run.call.callKey, code]);

/**
 * Sends a six-digit code to a contact that was on file before this call and not changed by phone lately. AppError `contact_not_on_file`,
 * `not_doable` after two codes per call or five per hour, and those of sendOneTimeCode.
 */
export async function sendCode(run: Run, channel: Channel): Promise<RunResult<Output>> {
  const { ctx, call, tenant, state, executionKey, providerId = "" } = run;
  const patientId = patientIdOf(run);
  const speakerHash = state?.actsFor?.speakerHash;
  const key = keys.callCode(call.callKey);
  const [row, to] = await awaitAllThenThrow([ctx.store.get<CallCodeRow>(key), trustedContact(run, channel)]);
  const answer: RunResult<Output> = {
    output: {
      verified: true,
      level: state?.level ?? 1,
      attemptsLeft: triesPerCode,
      codeSentTo: { channel, hint: contactHint(channel, to) },
    },
    patientId,
  };
  if (row?.sentBy === executionKey && isRedelivery(run, row)) return { ...answer, isReplay: true };
  if ((row?.sent ?? 0) >= codesPerCall || !(await isAllowed(run)))
    throw new AppError("not_doable", "The limit for one-time codes has been reached.");

  const language = await textLanguage(run);
  const code = String(randomInt(10 ** 6)).padStart(6, "0");
  const nowMs = ctx.clock().getTime();
  const taken = await ctx.store.writeUnaudited(
    update<CallCodeRow>(
      key,
      {
        set: {
          hash: codeHash(run, code),
          patientId,
          providerId,
          ...(speakerHash === undefined ? {} : { speakerHash }),
          endsAtMs: nowMs + lifetimeMs,
          sentBy: executionKey,
          tries: 0,
          expiresAt: Math.floor(nowMs / 1000) + keptSeconds,
        },
        add: { sent: 1 },
        ...(speakerHash === undefined ? { remove: ["speakerHash" as const] } : {}),
      },
      row?.sent === undefined ? { absent: ["sent"] } : { equals: { sent: row.sent } },
    ),
  );
  if (!taken) throw new AppError("in_progress", "Another code is being sent.");
  const { detail } = await sendOneTimeCode(ctx, tenant, { channel, to, code, callKey: call.callKey, language, isTest: call.isTest }).catch(
    async (error: unknown) => {
      // The same request may be sent again; it still counts.
      await ctx.store.writeUnaudited(update<CallCodeRow>(key, { remove: ["hash", "sentBy"] }, { equals: { sentBy: executionKey } }));
      throw error;
    },
  );
  return { ...answer, detail: { action: "sendCode", ...detail } };
}

const redeliveredMs = 5000;

/** Without a tool call id, "send it again" has the same words; only an immediate repetition is a redelivery. */
function isRedelivery({ ctx, call }: Run, { hash, tries, endsAtMs = 0 }: CallCodeRow): boolean {
  const ageMs = ctx.clock().getTime() - (endsAtMs - lifetimeMs);
  return call.toolCallId !== undefined || (hash !== undefined && !tries && ageMs < redeliveredMs);
}

async function trustedContact(run: Run, channel: Channel): Promise<string> {
  const onFile = contactPointsFor(await run.chart(), channel, run.ctx.clock());
  const who = { ctx: run.ctx, providerId: run.providerId ?? "", patientId: patientIdOf(run) };
  for (const to of onFile) if (!(await wasChangedRecently(who, to))) return to;
  throw new AppError("contact_not_on_file", "No contact on file may get a code.");
}

async function isAllowed({ ctx, providerId = "", ...run }: Run): Promise<boolean> {
  const nowMs = ctx.clock().getTime();
  const subject = scopedHash("one-time-code", ctx.tenantId, ["sent", providerId, run.state?.patientId ?? ""]);
  const key = keys.counter("code", subject, String(Math.floor(nowMs / hourMs)));
  const counted = await ctx.store.writeUnaudited<CountRow>(
    update(key, { add: { count: 1 }, set: { expiresAt: Math.ceil(nowMs / 1000) + 7200 } }),
  );
  return (counted?.count ?? 0) <= codesPerPatientAnHour;
}
