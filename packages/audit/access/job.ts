import { invokeAsync } from "@vitaline/aws";
import { type Context, envReader, errorFields, isAppError } from "@vitaline/core";
import type { AccessReportRow } from "@vitaline/store";
import * as z from "zod/mini";
import type { AccessScope } from "./scope.ts";

const environment = envReader(z.object({ EXPORT_FUNCTION: z.string() }));

/** For functions/events/export. */
export type AccessJob = { reportId: string; tenantId?: string | undefined; tries: number };

/** If that is not possible now, the next request for the report starts it again. */
export async function startAccessJob(
  ctx: Context,
  scope: AccessScope,
  { id, tries }: Pick<AccessReportRow, "id" | "tries">,
): Promise<void> {
  const job: AccessJob = { reportId: id, tenantId: scope.tenantId, tries };
  try {
    await invokeAsync(environment().EXPORT_FUNCTION, job);
  } catch (error) {
    ctx.log(isAppError(error, "unavailable") ? "warn" : "error", "access_report.not_started", errorFields(error));
  }
}
