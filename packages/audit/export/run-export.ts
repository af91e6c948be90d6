import { invokeAsync } from "@vitaline/aws";
import { envReader, errorFields, isAppError, type Context } from "@vitaline/core";
import { update, type ExportRow } from "@vitaline/store";
import * as z from "zod/mini";
import type { ExportScope } from "./export-scope.ts";
import { writeExport, type WrittenFile } from "./write-export.ts";

const environment = envReader(z.object({ EXPORT_FUNCTION: z.string() }));
const heartbeatMs = 20_000;

type ExportJob = { exportId: string; tenantId?: string; tries: number };

/** Starts the export function. If that is not possible now, the next status request starts it again. */
export async function startExportJob(ctx: Context, scope: ExportScope, { id, tries }: Pick<ExportRow, "id" | "tries">): Promise<void> {
  const job: ExportJob = { exportId: id, tenantId: scope.tenantId, tries };
  try {
    await invokeAsync(environment().EXPORT_FUNCTION, job);
  } catch (error) {
    if (!isAppError(error, "unavailable")) throw error;
    ctx.log("warn", "export.not_started", errorFields(error));
  }
}

const superseded = new Error("Another attempt at this export has begun");
const timeIsOver = new Error("The export does not fit into an invocation");

/** `hasTime`: false shortly before the invocation ends. */
type Invocation = { hasTime(): boolean };

/**
 * Writes a queued export with a heartbeat every 20 seconds. Idempotent: every attempt writes the same file, and one that was given
 * up, or that finds the export finished, stops at its next heartbeat. One that does not fit into an invocation has failed, as another
 * attempt would.
 */
export async function runExport(
  ctx: Pick<Context, "clock" | "log">,
  scope: ExportScope,
  { exportId, tries }: ExportJob,
  { hasTime }: Invocation,
): Promise<void> {
  const row = await scope.find(exportId);
  if (!row || row.tries !== tries || row.status === "ready" || row.status === "failed") return;
  const beat = heartbeat(ctx, scope, row);
  try {
    await beat();
    const onRows = async (): Promise<void> => {
      if (!hasTime()) throw timeIsOver;
      await beat();
    };
    await completeExport(ctx, scope, row, await writeExport(scope, row, onRows));
  } catch (error) {
    if (error === timeIsOver) return void (await giveUp(ctx, scope, row));
    if (error !== superseded) throw error;
    ctx.log("warn", "export.superseded", { attempt: tries });
  }
}

const giveUp = async ({ log }: Pick<Context, "log">, scope: ExportScope, { id, tries, ...row }: ExportRow): Promise<void> => {
  const set = { status: "failed", tooLong: true } as const;
  const condition = { equals: { tries }, notEquals: { status: "ready" } };
  await scope.storeFor(row).writeUnaudited<ExportRow>(update(scope.keyOf(id), { set }, condition));
  log("warn", "export.too_long", { attempt: tries });
};

const heartbeat = ({ clock }: Pick<Context, "clock">, scope: ExportScope, row: ExportRow) => {
  let lastMs = 0;
  let { status } = row;
  return async (): Promise<void> => {
    const now = clock();
    if (now.getTime() - lastMs < heartbeatMs) return;
    lastMs = now.getTime();
    const set = { status: "running" as const, heartbeatAt: now.toISOString() };
    const updated = await scope
      .storeFor(row)
      .writeUnaudited(update(scope.keyOf(row.id), { set }, { equals: { tries: row.tries, status } }));
    if (!updated) throw superseded;
    ({ status } = set);
  };
};

/** Marks the export as ready, and audits that. Undefined if another attempt has already done so. */
export async function completeExport(
  { clock }: Pick<Context, "clock">,
  scope: ExportScope,
  row: ExportRow,
  written: WrittenFile,
): Promise<ExportRow | undefined> {
  const set = { ...written, status: "ready" as const, heartbeatAt: clock().toISOString() };
  const condition = { equals: { tries: row.tries }, notEquals: { status: "ready" } };
  try {
    await scope.storeFor(row).commit([update(scope.keyOf(row.id), { set }, condition)], {
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
