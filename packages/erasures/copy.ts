import { createHash } from "node:crypto";
import { getSealedFile, unseal, writeExportFile } from "@vitaline/aws";
import { contentFileNames } from "@vitaline/calls";
import { awaitAllThenThrow, isAppError } from "@vitaline/core";
import {
  auditCategories,
  keys,
  shards,
  toDoIdOfCall,
  type CallRow,
  type ErasureCopyFile,
  type ErasureCopyPosition,
  type ErasureRow,
} from "@vitaline/store";
import { partitions, tenantPartitions } from "@vitaline/store/keys.ts";
import type { PlatformContext, StoredRow } from "@vitaline/store/platform.ts";
import { auditPages, findReferences, refersTo, type References } from "./subject.ts";

const concurrency = 20;

type Line = { type: string } & Record<string, unknown>;
/** Lines written together. Keys increase within a stage, so that an interrupted copy continues after the last one. */
type Unit = { key: string; lines: () => Promise<Line[]> };
type Stage = () => AsyncIterable<Unit[]>;

/**
 * Writes one file of the copy that the organization receives: the data to erase, unsealed, as JSON lines with a `type`, without
 * secrets and password hashes. Continues after the previous file until everything is written or `hasTime` returns false; `next` is
 * undefined at the end.
 */
export async function writeCopy(
  ctx: PlatformContext,
  row: ErasureRow,
  hasTime: () => boolean,
): Promise<{ file: ErasureCopyFile; next?: ErasureCopyPosition }> {
  const name = `exports/erasures/${row.id}/${(row.copy?.files.length ?? 0) + 1}.ndjson`;
  const hash = createHash("sha256");
  let lines = 0;
  let next: ErasureCopyPosition | undefined;
  const stages = await planStages(ctx, row);
  const encodeLine = (line: Line): Buffer => {
    const text = Buffer.from(`${JSON.stringify(line)}\n`);
    hash.update(text);
    lines += 1;
    return text;
  };
  const content = async function* () {
    const from = row.copying ?? { stage: 0, after: "" };
    for (let stage = from.stage; stage < stages.length; stage++) {
      const after = stage === from.stage ? from.after : "";
      for await (const units of stages[stage]!()) {
        const remaining = units.filter(({ key }) => key > after);
        for (let at = 0; at < remaining.length; at += concurrency) {
          const chunk = remaining.slice(at, at + concurrency);
          for (const line of (await awaitAllThenThrow(chunk.map((unit) => unit.lines()))).flat()) yield encodeLine(line);
          next = { stage, after: chunk.at(-1)!.key };
          if (!hasTime()) return;
        }
      }
    }
    next = undefined;
  };
  const bytes = await writeExportFile(name, "application/x-ndjson", content());
  const file = { name, lines, bytes, sha256: hash.digest("hex") };
  return next ? { file, next } : { file };
}

async function planStages(ctx: PlatformContext, row: ErasureRow): Promise<Stage[]> {
  const { id, kind, tenantId, tenantName } = row;
  const head: Line = { type: "erasure", id, kind, tenantId, tenantName, writtenAt: ctx.clock().toISOString() };
  const first: Stage = async function* () {
    yield [{ key: "head", lines: async () => [head] }];
  };
  return [first, ...(kind === "tenant" ? tenantStages(ctx, tenantId) : subjectStages(ctx, row, await findReferences(ctx, row)))];
}

function subjectStages(ctx: PlatformContext, { tenantId }: ErasureRow, found: References): Stage[] {
  const calls: Stage = async function* () {
    yield [...found.calls].toSorted().map((callKey) => ({ key: callKey, lines: () => callLines(ctx, tenantId, callKey) }));
  };
  return [calls, ...listStages(ctx, tenantId, (row) => refersTo(ctx, found, tenantId, row))];
}

function tenantStages(ctx: PlatformContext, tenantId: string): Stage[] {
  const calls: Stage = async function* () {
    for await (const rows of ctx.platform.stored(tenantPartitions.calls(tenantId), "gsi1"))
      yield rows.map((row) => ({ key: String(row["gsi1sk"]), lines: () => callLines(ctx, tenantId, String(row["callKey"])) }));
  };
  const audit: Stage = async function* () {
    for await (const { month, category, rows } of auditPages(ctx, tenantId))
      yield rows.map((row) => plainUnit("audit", row, `${month}|${auditCategories.indexOf(category)}|${row.sk}`));
  };
  const partitionStage = (type: string, partition: string): Stage =>
    async function* () {
      for await (const rows of ctx.platform.stored(partition)) yield rows.map((row) => plainUnit(type, row));
    };
  const settings: Stage = async function* () {
    for await (const rows of ctx.platform.stored(tenantPartitions.config(tenantId)))
      yield rows.flatMap((row) => {
        const type = settingTypes[row.sk.split("#")[0] ?? ""];
        return type ? [plainUnit(type, row)] : [];
      });
  };
  return [
    settings,
    partitionStage("user", tenantPartitions.users(tenantId)),
    calls,
    ...listStages(ctx, tenantId, async () => true),
    partitionStage("webhook", tenantPartitions.webhooks(tenantId)),
    partitionStage("calendarEntry", tenantPartitions.calendarEntries(tenantId)),
    partitionStage("optOut", tenantPartitions.optOuts(tenantId)),
    partitionStage("total", tenantPartitions.stats(tenantId)),
    queuedStage(ctx, tenantId),
    audit,
  ];
}

const settingTypes: Readonly<Record<string, string>> = { TENANT: "tenant", OFFICE: "office", VOICE: "voiceProvider", AGENT: "voiceAgent" };

const plainUnit = (type: string, row: StoredRow, key = row.sk): Unit => ({ key, lines: async () => [toLine(type, row)] });

const queuedStage = ({ platform }: PlatformContext, tenantId: string): Stage =>
  async function* () {
    for (const shard of shards)
      for await (const rows of platform.stored(partitions.outgoing(shard)))
        yield rows.filter((row) => row["tenantId"] === tenantId).map((row) => unsealedUnit("waiting", tenantId, row, `${shard}|${row.sk}`));
  };

const listStages = ({ platform }: PlatformContext, tenantId: string, matches: (row: StoredRow) => Promise<boolean>): Stage[] =>
  (
    [
      ["lead", tenantPartitions.leads(tenantId)],
      ["task", tenantPartitions.tasks(tenantId)],
      ["proxy", tenantPartitions.proxies(tenantId)],
      ["message", tenantPartitions.messages(tenantId)],
    ] as const
  ).map(
    ([type, partition]): Stage =>
      async function* () {
        for await (const rows of platform.stored(partition)) {
          const matching: StoredRow[] = [];
          for (const row of rows) if (await matches(row)) matching.push(row);
          const noteOf = (row: StoredRow) => (type === "lead" || type === "task" ? staffNote(platform, tenantId, String(row["id"])) : {});
          yield matching.map((row) => unsealedUnit(type, tenantId, row, row.sk, () => noteOf(row)));
        }
      },
  );

/** What staff noted in the list of work. */
async function staffNote(platform: PlatformContext["platform"], tenantId: string, id: string): Promise<{ staffNote?: string }> {
  const sealedNote = (await platform.inTenant(tenantId).get(keys.toDo(id)))?.sealedNote;
  return sealedNote === undefined ? {} : { staffNote: await unseal("phi", tenantId, sealedNote) };
}

const unsealedUnit = (
  type: string,
  tenantId: string,
  row: StoredRow,
  key = row.sk,
  more: () => Promise<object> | object = () => ({}),
): Unit => ({
  key,
  async lines() {
    const { sealed, ...rest } = row;
    const content = typeof sealed === "string" ? { content: JSON.parse(await unseal("phi", tenantId, sealed)) as unknown } : {};
    return [toLine(type, { ...rest, ...content, ...(await more()) })];
  },
});

async function callLines({ platform }: PlatformContext, tenantId: string, callKey: string): Promise<Line[]> {
  const lines: Line[] = [];
  for await (const rows of platform.stored(tenantPartitions.callItems(tenantId, callKey)))
    for (const row of rows) {
      if (row.sk === "CALL") {
        const note = await staffNote(platform, tenantId, toDoIdOfCall(row as unknown as CallRow));
        lines.push({ ...toLine("call", row), ...(await callContent(tenantId, row)), ...note });
      } else if (row.sk.startsWith("RUN#")) lines.push(toLine("toolRun", row));
    }
  return lines;
}

/** The call's content and staff's note; files that have expired are omitted. */
const callContent = async (tenantId: string, row: StoredRow): Promise<Record<string, unknown>> => {
  const call = row as unknown as CallRow;
  const files = contentFileNames.flatMap((name) => call[name] ?? []);
  const texts = await awaitAllThenThrow(
    files.map((file) => getSealedFile("phi", tenantId, file).then((text) => JSON.parse(text) as object, emptyIfMissing)),
  );
  const { sealedNote, ...followUp } = call.followUp ?? {};
  const note = sealedNote ? { note: await unseal("phi", tenantId, sealedNote) } : {};
  return { texts: Object.assign({}, ...texts) as object, ...(call.followUp ? { followUp: { ...followUp, ...note } } : {}) };
};

const emptyIfMissing = (error: unknown): object => {
  if (isAppError(error, "not_found")) return {};
  throw error;
};

const omittedFields = new Set(["pk", "sk", "gsi1pk", "gsi1sk", "numberHash", ...contentFileNames, "followUp"]);

const toLine = (type: string, row: Record<string, unknown>): Line => ({
  type,
  ...Object.fromEntries(
    Object.entries(row).flatMap(([name, value]) => (omittedFields.has(name) ? [] : [[name, value instanceof Set ? [...value] : value]])),
  ),
});
