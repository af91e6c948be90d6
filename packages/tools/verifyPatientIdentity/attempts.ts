import { createHmac, hkdfSync } from "node:crypto";
import { envReader } from "@vitaline/core";
import { keys, update, type CountRow } from "@vitaline/store";
import * as z from "zod/mini";
import type { Run } from "../define-tool.ts";
import type { Claim } from "./claim.ts";
import { firstGiven, normalName } from "./names.ts";
import { digitsOf } from "./phones.ts";

const environment = envReader(z.object({ EDGE_SECRET: z.string().check(z.minLength(16)) }));
const hourMs = 3_600_000;

/** Failed attempts an hour: for one claimed patient, whoever calls, and for one caller, whomever they claim to be. */
const allowedFailures = { patient: 10, caller: 20 } as const;
type Counted = keyof typeof allowedFailures;

/** Names and birth dates are few enough to be guessed, so the key holds a keyed hash of them. */
const hidden = (tenantId: string, parts: string[]): string => {
  const key = Buffer.from(hkdfSync("sha256", environment().EDGE_SECRET, "", "vitaline/attempts", 32));
  return createHmac("sha256", key)
    .update(JSON.stringify([tenantId, ...parts]))
    .digest("base64url");
};

/**
 * Counts an attempt before anything is compared, so that guesses made at once cannot slip through.
 * `giveBack` is for the attempt that was no guess.
 */
export async function countAttempt({ ctx, call }: Run, claim: Claim): Promise<{ allowed: boolean; giveBack(): Promise<void> }> {
  const nowMs = ctx.clock().getTime();
  const hour = String(Math.floor(nowMs / hourMs));
  const expiresAt = Math.ceil(nowMs / 1000) + 7200;
  const subjects: Record<Counted, string[]> = {
    patient: [firstGiven(claim.firstName), normalName(claim.lastName), claim.dateOfBirth],
    caller: call.callerNumber ? [digitsOf(call.callerNumber)] : [call.callKey],
  };
  const counters = (Object.keys(subjects) as Counted[]).map((kind) => ({
    kind,
    key: keys.attempts(kind, hidden(ctx.tenantId, subjects[kind]), hour),
  }));
  const add = (key: ReturnType<typeof keys.attempts>, count: number) =>
    ctx.store.note<CountRow>(update(key, { add: { count }, set: { expiresAt } }));
  const counts = await Promise.all(counters.map(async ({ kind, key }) => ((await add(key, 1))?.count ?? 0) <= allowedFailures[kind]));
  return { allowed: !counts.includes(false), giveBack: async () => void (await Promise.all(counters.map(({ key }) => add(key, -1)))) };
}
