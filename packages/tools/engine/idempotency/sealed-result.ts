import { seal, unseal } from "@vitaline/aws";
import type { TaskAbout } from "@vitaline/contract";
import type { ErrorCode } from "@vitaline/core";
import type { IdempotencyRow } from "@vitaline/store";
import * as z from "zod/mini";
import type { Intent } from "../../sdk/run.ts";

/** What a finished write answered, without its words: they are made anew from the output. */
export type FirstAnswer = { code?: ErrorCode; output?: unknown };

const StoredAnswer = z.object({ code: z.optional(z.string()), output: z.optional(z.unknown()) });

export const sealAnswer = (tenantId: string, { code, output }: FirstAnswer): Promise<string> =>
  seal("phi", tenantId, JSON.stringify({ code, output }));
export const firstAnswerOf = async (tenantId: string, { sealedAnswer = "" }: Pick<IdempotencyRow, "sealedAnswer">): Promise<FirstAnswer> =>
  z.parse(StoredAnswer, JSON.parse(await unseal("phi", tenantId, sealedAnswer))) as FirstAnswer;

const StoredIntent = z.record(z.string(), z.string());

export const sealIntent = (tenantId: string, intent: Intent): Promise<string> => seal("phi", tenantId, JSON.stringify(intent));

/** What a task may tell of it. */
export const aboutIntent = ({ action, appointmentId, start }: Intent): Pick<TaskAbout, "action" | "appointmentId" | "start"> => ({
  ...(action ? { action } : {}),
  ...(appointmentId ? { appointmentId } : {}),
  ...(start ? { start } : {}),
});

/** What an earlier run was about to write, if it left word. */
export async function intentIn(
  tenantId: string,
  { intent, sealedIntent }: Pick<IdempotencyRow, "intent" | "sealedIntent">,
): Promise<Intent | undefined> {
  if (intent || !sealedIntent) return intent;
  return z.parse(StoredIntent, JSON.parse(await unseal("phi", tenantId, sealedIntent)));
}
