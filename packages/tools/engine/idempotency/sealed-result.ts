import type { ErrorCode } from "@vitaline/core";
import type { IdempotencyRow } from "@vitaline/store";
import { seal, unseal } from "@vitaline/aws";
import type { TaskAbout } from "@vitaline/contract";
import * as z from "zod/mini";
import type { PlannedWrite } from "../../sdk/run.ts";

/** The stored answer of a write, without its sentence: that is spoken again from the output. */
export type SealedResult = { code?: ErrorCode; output?: unknown };

const StoredAnswer = z.object({ code: z.optional(z.string()), output: z.optional(z.unknown()) });

export const sealResult = (tenantId: string, { code, output }: SealedResult): Promise<string> =>
  seal("phi", tenantId, JSON.stringify({ code, output }));

export const unsealResult = async (tenantId: string, { sealedAnswer = "" }: Pick<IdempotencyRow, "sealedAnswer">): Promise<SealedResult> =>
  z.parse(StoredAnswer, JSON.parse(await unseal("phi", tenantId, sealedAnswer))) as SealedResult;

const StoredWrite = z.record(z.string(), z.string());

export const sealPlannedWrite = (tenantId: string, plannedWrite: PlannedWrite): Promise<string> =>
  seal("phi", tenantId, JSON.stringify(plannedWrite));

export const taskAboutWrite = ({ action, appointmentId, start }: PlannedWrite): Pick<TaskAbout, "action" | "appointmentId" | "start"> => ({
  ...(action ? { action } : {}),
  ...(appointmentId ? { appointmentId } : {}),
  ...(start ? { start } : {}),
});

export async function readPlannedWrite(
  tenantId: string,
  { plannedWrite, sealedWrite }: Pick<IdempotencyRow, "plannedWrite" | "sealedWrite">,
): Promise<PlannedWrite | undefined> {
  if (plannedWrite || !sealedWrite) return plannedWrite;
  return z.parse(StoredWrite, JSON.parse(await unseal("phi", tenantId, sealedWrite)));
}
