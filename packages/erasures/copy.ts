import { createHash } from "node:crypto";
import { getSealedFile, unseal, writeExportFile } from "@vitaline/aws";
import { textFiles } from "@vitaline/calls";
import { erasureExportDays } from "@vitaline/contract";
import { isAppError } from "@vitaline/core";
import type { CallRow, ErasureRow } from "@vitaline/store";
import { tenantPartitions } from "@vitaline/store/keys.ts";
import type { PlatformContext, StoredRow } from "@vitaline/store/platform.ts";
import { auditRows, findSubject, refersTo, type Found } from "./found.ts";

const dayMs = 86_400_000;

/**
 * Writes what an erasure will destroy into a file of JSON lines, each with its `type`, unsealed: for the organization to keep. Secrets and
 * password hashes are not in it. `onLine` is called before each line.
 */
export async function writeCopy(
  ctx: PlatformContext,
  row: ErasureRow,
  onLine: () => Promise<void>,
): Promise<NonNullable<ErasureRow["copy"]>> {
  const file = `exports/erasures/${row.id}/${row.copies}.ndjson`;
  const hash = createHash("sha256");
  let lines = 0;
  const content = async function* () {
    for await (const line of linesOf(ctx, row)) {
      await onLine();
      lines += 1;
      const text = Buffer.from(`${JSON.stringify(line)}\n`);
      hash.update(text);
      yield text;
    }
  };
  const bytes = await writeExportFile(file, "application/x-ndjson", content());
  const expiresAt = new Date(ctx.clock().getTime() + erasureExportDays * dayMs).toISOString();
  return { file, lines, bytes, sha256: hash.digest("hex"), expiresAt };
}

type Line = { type: string } & Record<string, unknown>;

async function* linesOf(ctx: PlatformContext, row: ErasureRow): AsyncGenerator<Line> {
  const { kind, tenantId, tenantName } = row;
  yield { type: "erasure", id: row.id, kind, tenantId, tenantName, writtenAt: ctx.clock().toISOString() };
  if (kind === "tenant") yield* linesOfTenant(ctx, tenantId);
  else yield* linesOfSubject(ctx, row);
}

async function* linesOfSubject(ctx: PlatformContext, row: ErasureRow): AsyncGenerator<Line> {
  const found = await findSubject(ctx, row);
  for (const callKey of found.calls) yield* linesOfCall(ctx, row.tenantId, callKey);
  yield* linesOfLists(ctx, row.tenantId, found);
  if (found.patient)
    for await (const audit of auditRows(ctx, row.tenantId)) if (found.auditIds.has(audit.id)) yield lineOf("audit", { ...audit });
}

async function* linesOfTenant(ctx: PlatformContext, tenantId: string): AsyncGenerator<Line> {
  for await (const settings of ctx.platform.stored(tenantPartitions.config(tenantId)))
    for (const row of settings) {
      const type = settingTypes[row.sk.split("#")[0] ?? ""];
      if (type) yield lineOf(type, row);
    }
  for await (const people of ctx.platform.stored(tenantPartitions.users(tenantId)))
    for (const person of people) yield lineOf("user", person);
  for await (const calls of ctx.platform.stored(tenantPartitions.calls(tenantId), "gsi1"))
    for (const call of calls) yield* linesOfCall(ctx, tenantId, String(call["callKey"]));
  yield* linesOfLists(ctx, tenantId);
  for (const [type, partition] of [
    ["webhook", tenantPartitions.webhooks(tenantId)],
    ["calendarEntry", tenantPartitions.calendarEntries(tenantId)],
    ["total", tenantPartitions.stats(tenantId)],
  ] as const)
    for await (const rows of ctx.platform.stored(partition)) for (const row of rows) yield lineOf(type, row);
  for await (const audit of auditRows(ctx, tenantId)) yield lineOf("audit", { ...audit });
}

const settingTypes: Readonly<Record<string, string>> = { TENANT: "tenant", OFFICE: "office", VOICE: "voiceProvider", AGENT: "voiceAgent" };

async function* linesOfCall(ctx: PlatformContext, tenantId: string, callKey: string): AsyncGenerator<Line> {
  for await (const rows of ctx.platform.stored(tenantPartitions.callRuns(tenantId, callKey)))
    for (const row of rows) {
      if (row.sk === "CALL") yield { ...lineOf("call", row), ...(await textsOf(tenantId, row)) };
      else if (row.sk.startsWith("RUN#")) yield lineOf("toolRun", row);
    }
}

/** What was said, and staff's note; a file that retention has taken is left out. */
const textsOf = async (tenantId: string, row: StoredRow): Promise<Record<string, unknown>> => {
  const call = row as unknown as CallRow;
  const texts: object[] = [];
  for (const name of textFiles) {
    const file = call[name];
    if (file) texts.push(await getSealedFile("phi", tenantId, file).then((text) => JSON.parse(text) as object, missing));
  }
  const { sealedNote, ...followUp } = call.followUp ?? {};
  const note = sealedNote ? { note: await unseal("phi", tenantId, sealedNote) } : {};
  return { texts: Object.assign({}, ...texts) as object, ...(call.followUp ? { followUp: { ...followUp, ...note } } : {}) };
};

const missing = (error: unknown): object => {
  if (isAppError(error, "not_found")) return {};
  throw error;
};

/** Leads, tasks and messages: all of them, or those about a subject. */
async function* linesOfLists(ctx: PlatformContext, tenantId: string, found?: Found): AsyncGenerator<Line> {
  for (const [type, partition] of [
    ["lead", tenantPartitions.leads(tenantId)],
    ["task", tenantPartitions.tasks(tenantId)],
    ["message", tenantPartitions.messages(tenantId)],
  ] as const)
    for await (const rows of ctx.platform.stored(partition))
      for (const row of rows) {
        if (found && !(await refersTo(found, tenantId, row))) continue;
        const { sealed, ...plain } = row;
        const content = typeof sealed === "string" ? { content: JSON.parse(await unseal("phi", tenantId, sealed)) as unknown } : {};
        yield lineOf(type, { ...plain, ...content });
      }
}

const inTable = new Set(["pk", "sk", "gsi1pk", "gsi1sk", ...textFiles, "followUp"]);

const lineOf = (type: string, row: Record<string, unknown>): Line => ({
  type,
  ...Object.fromEntries(
    Object.entries(row).flatMap(([name, value]) => (inTable.has(name) ? [] : [[name, value instanceof Set ? [...value] : value]])),
  ),
});
