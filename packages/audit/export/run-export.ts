import { type Context, envReader, errorFields, isAppError } from "@vitaline/core";
import { type ExportRow, update } from "@vitaline/store";
import { startFunction } from "@vitaline/aws";
import * as z from "zod/mini";
import type { Desk } from "./export-scope.ts";
import { writeExport, type Written } from "./write-export.ts";

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

const heartbeatMs = 20_000;

/** What starts the writing of an export: which one, whose, and which attempt this is. */
type ExportJob = { exportId: string; tenantId?: string; tries: number };

const superseded = new Error("Another attempt at this export has begun");

/**
 * Writes a queued export, saying every 20 seconds that it goes on. Repeated or begun twice it changes nothing: the file is
 * written under the same name, and an attempt that was given up for dead, or finds the export ended, stops at its next heartbeat.
 */
export async function runExport(ctx: Pick<Context, "clock" | "log">, desk: Desk, { exportId, tries }: ExportJob): Promise<void> {
  const row = await desk.find(exportId);
  if (!row || row.tries !== tries || row.status === "ready" || row.status === "failed") return;
  const beat = heartbeat(ctx, desk, row);
  try {
    await beat();
    await finishExport(ctx, desk, row, await writeExport(desk, row, beat));
  } catch (error) {
    if (error !== superseded) throw error;
    ctx.log("warn", "export.superseded", { attempt: tries });
  }
}

const heartbeat = ({ clock }: Pick<Context, "clock">, desk: Desk, row: ExportRow) => {
  let lastMs = 0;
  let { status } = row;
  return async (): Promise<void> => {
    const now = clock();
    if (now.getTime() - lastMs < heartbeatMs) return;
    lastMs = now.getTime();
    const set = { status: "running" as const, heartbeatAt: now.toISOString() };
    const noted = await desk.storeFor(row).note(update(desk.keyOf(row.id), { set }, { equals: { tries: row.tries, status } }));
    if (!noted) throw superseded;
    ({ status } = set);
  };
};

/** The file is there: says so in the row and in the audit. Undefined when another attempt has said it. */
export async function finishExport(
  { clock }: Pick<Context, "clock">,
  desk: Desk,
  row: ExportRow,
  written: Written,
): Promise<ExportRow | undefined> {
  const set = { ...written, status: "ready" as const, heartbeatAt: clock().toISOString() };
  const when = { equals: { tries: row.tries }, notEquals: { status: "ready" } };
  try {
    await desk.storeFor(row).commit([update(desk.keyOf(row.id), { set }, when)], {
      category: "data_query",
      action: "audit.exportReady",
      resourceType: "Export",
      resourceId: row.id,
      detail: { format: row.format, rows: written.rows, bytes: written.bytes },
    });
  } catch (error) {
    if (!isAppError(error, "stale_version")) throw error;
    return undefined;
  }
  return { ...row, ...set };
}
