import { timingSafeEqual } from "node:crypto";
import { allDone, AppError } from "@vitaline/core";
import { type CallCodeRow, type CallStateRow, keys, update } from "@vitaline/store";
import { patientOf } from "../patient/assert-own-patient.ts";
import type { Ran, Run } from "../sdk/run.ts";
import { codesTried, triesPerCall } from "./attempts.ts";
import { notFurther, verified } from "./answers.ts";
import type { Output } from "./schema.ts";
import { hashOf, triesPerCode } from "./send-code.ts";

/** The factor that a right code is. */
const factor = "code";
const keptSeconds = 4 * 3600;

/**
 * Raises the call to level 2 when the code is the one that was sent. Every guess counts before it is compared, also one at no code at
 * all; a wrong code, one that is too old, was used or was never sent are told in the same words. Wrong ones also count for the patient and
 * for the key, over all calls.
 */
export async function checkCode(run: Run, code: string): Promise<Ran<Output>> {
  const { ctx, call, state, requestKey } = run;
  const patientId = patientOf(run);
  const key = keys.callCode(call.callKey);
  const [row, guesses] = await allDone([ctx.store.get<CallCodeRow>(key), codesTried(run)]);
  const isAgain = row?.triedBy === requestKey;
  const right: Ran<Output> = {
    output: { ...verified(2, triesPerCall - (state?.tries ?? 0)), further: true },
    patientId,
    detail: { action: "checkCode" },
  };
  if (isAgain && state?.level === 2 && row?.hash === undefined) return { ...right, repeated: true };
  if (!isAgain && !guesses.allowed) return wrong(run, 0);
  const tries = isAgain ? (row.tries ?? 0) : await counted(run, row);
  if (!isRight(run, row, code, tries)) {
    if (isAgain) return { ...wrong(run, triesPerCode - tries), repeated: true };
    await guesses.countFailure();
    return wrong(run, triesPerCode - tries);
  }
  return {
    ...right,
    afterAudit: async () => {
      const factors = [...new Set([...(state?.factors ?? []), factor])];
      const bound = { patientId, providerId: run.providerId ?? "" };
      const raised = await ctx.store.note(
        update<CallStateRow>(keys.callState(call.callKey), { set: { level: 2, factors } }, { equals: bound, absent: ["closedAt"] }),
      );
      if (!raised) throw new AppError("in_progress", "The call has ended, or is about another patient by now.");
      await ctx.store.note(update<CallCodeRow>(key, { remove: ["hash"] }, { exists: true }));
    },
  };
}

/** How many guesses there were with this one. Of guesses made at once one is answered. */
async function counted({ ctx, call, requestKey }: Run, row: CallCodeRow | undefined): Promise<number> {
  const expiresAt = Math.floor(ctx.clock().getTime() / 1000) + keptSeconds;
  const written = await ctx.store.note<CallCodeRow>(
    update<CallCodeRow>(
      keys.callCode(call.callKey),
      { add: { tries: 1 }, set: { triedBy: requestKey, expiresAt } },
      row?.tries === undefined ? { absent: ["tries"] } : { equals: { tries: row.tries } },
    ),
  );
  if (!written) throw new AppError("in_progress", "Another code is being checked.");
  return written.tries ?? 1;
}

function isRight(run: Run, row: CallCodeRow | undefined, code: string, tries: number): boolean {
  const isEqual = timingSafeEqual(Buffer.from(hashOf(run, code)), Buffer.from(row?.hash ?? hashOf(run, "")));
  const isOfPatient = row?.patientId === patientOf(run) && row.providerId === run.providerId;
  return isEqual && isOfPatient && tries <= triesPerCode && (row.endsAtMs ?? 0) > run.ctx.clock().getTime();
}

const wrong = ({ state }: Run, left: number): Ran<Output> => ({
  ...notFurther("code", state?.level ?? 1, left),
  detail: { action: "checkCode" },
});
