import { startFunction } from "@vitaline/aws";
import { envReader, errorFields, isAppError, type Context } from "@vitaline/core";
import type { ExportRow } from "@vitaline/store";
import * as z from "zod/mini";
import type { Desk } from "./desk.ts";
import type { ExportJob } from "./run-export.ts";

const environment = envReader(z.object({ EXPORT_FUNCTION: z.string() }));

/** Has the export written. Should that not be possible now, whoever next asks how far it is starts it again. */
export async function startJob(ctx: Context, desk: Desk, { id, tries }: Pick<ExportRow, "id" | "tries">): Promise<void> {
  const job: ExportJob = { exportId: id, tenantId: desk.tenantId, tries };
  try {
    await startFunction(environment().EXPORT_FUNCTION, job);
  } catch (error) {
    if (!isAppError(error, "unavailable")) throw error;
    ctx.log("warn", "export.not_started", errorFields(error));
  }
}
