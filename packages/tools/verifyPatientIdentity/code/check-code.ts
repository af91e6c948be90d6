import { awaitAllThenThrow, AppError } from "@vitaline/core";
import { type CallCodeRow, type CallStateRow, keys, update } from "@vitaline/store";
import { patientIdOf } from "../../patient/chart.ts";
import type { RunResult, Run } from "../../sdk/run.ts";
import { isSameCaller, maxTriesPerCall } from "../../patient/call-patient.ts";
import { countCodeTries } from "../claim/attempts.ts";
import { notSteppedUp, verified } from "../answers.ts";
import type { Output } from "../schema.ts";
import { isCode, triesPerCode } from "./send-code.ts";

const factor = "code";
const keptSeconds = 4 * 3600;

/**
 * Raises the call to level 2. Every guess is counted before it is compared. A wrong, expired, used or unsent code gets the same answer.
 * Wrong codes also count per patient and API key.
 */
export async function checkCode(run: Run, code: string): Promise<RunResult<Output>> {
  const { ctx, call, state, executionKey } = run;
  const patientId = patientIdOf(run);
  const key = keys.callCode(call.callKey);
  const [row, guesses] = await awaitAllThenThrow([ctx.store.get<CallCodeRow>(key), countCodeTries(run)]);
  const isAgain = row?.triedBy === executionKey;
  const right: RunResult<Output> = {
    output: { ...verified(2, maxTriesPerCall - (state?.tries ?? 0)), further: true },
    patientId,
    detail: { action: "checkCode" },
  };
  if (isAgain && state?.level === 2 && row?.hash === undefined) return { ...right, isReplay: true };
  if (!isAgain && !guesses.allowed) return wrongCode(run, 0);
  const tries = isAgain ? (row.tries ?? 0) : await countTry(run, row);
  if (!isCorrect(run, row, code, tries)) {
    if (isAgain) return { ...wrongCode(run, triesPerCode - tries), isReplay: true };
    await guesses.countFailure();
    return wrongCode(run, triesPerCode - tries);
  }
  return {
    ...right,
    afterAudit: async () => {
      const factors = [...new Set([...(state?.factors ?? []), factor])];
      const raised = await ctx.store.writeUnaudited(
        update<CallStateRow>(keys.callState(call.callKey), { set: { level: 2, factors } }, isSameCaller(run)),
      );
      if (!raised) throw new AppError("in_progress", "The call has ended, is now about another patient, or someone else speaks.");
      await ctx.store.writeUnaudited(update<CallCodeRow>(key, { remove: ["hash"] }, { exists: true }));
    },
  };
}

/** The number of guesses including this one. AppError `in_progress` for a concurrent guess. */
async function countTry({ ctx, call, executionKey }: Run, row: CallCodeRow | undefined): Promise<number> {
  const expiresAt = Math.floor(ctx.clock().getTime() / 1000) + keptSeconds;
  const written = await ctx.store.writeUnaudited<CallCodeRow>(
    update<CallCodeRow>(
      keys.callCode(call.callKey),
      { add: { tries: 1 }, set: { triedBy: executionKey, expiresAt } },
      row?.tries === undefined ? { absent: ["tries"] } : { equals: { tries: row.tries } },
    ),
  );
  if (!written) throw new AppError("in_progress", "Another code is being checked.");
  return written.tries ?? 1;
}

function isCorrect(run: Run, row: CallCodeRow | undefined, code: string, tries: number): boolean {
  const isEqual = isCode(run, code, row?.hash);
  const isOfCaller =
    row?.patientId === patientIdOf(run) && row.providerId === run.providerId && row.speakerHash === run.state?.actsFor?.speakerHash;
  return isEqual && isOfCaller && tries <= triesPerCode && (row.endsAtMs ?? 0) > run.ctx.clock().getTime();
}

const wrongCode = ({ state }: Run, left: number): RunResult<Output> => ({
  ...notSteppedUp("code", state?.level ?? 1, left),
  detail: { action: "checkCode" },
});
