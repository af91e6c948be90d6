import { createHash } from "node:crypto";
import { getSealedFile, unseal, writeExportFile } from "@vitaline/aws";
import { textFiles } from "@vitaline/calls";
import { allDone, isAppError } from "@vitaline/core";
import type { CallRow, ErasureCopyFile, ErasureCopyPosition, ErasureRow } from "@vitaline/store";
import { partitions, tenantPartitions } from "@vitaline/store/keys.ts";
import type { PlatformContext, StoredRow } from "@vitaline/store/platform.ts";
import { shards } from "./batches.ts";
import { auditPages, findSubject, refersTo, type Found } from "./subject.ts";

/** So many calls are opened at once. */
const atOnce = 20;

type Line = { type: string } & Record<string, unknown>;
/** Lines that belong together, under a key that grows within a stage: a copy that was interrupted goes on behind the last one. */
type Unit = { key: string; lines: () => Promise<Line[]> };
type Stage = () => AsyncIterable<Unit[]>;

/**
 * Writes what an erasure will destroy into files of JSON lines, each with its `type`, unsealed: for the organization to keep. Secrets and
 * password hashes are not in it. One file, from where the last one ended, until all is written or `mayGoOn` says no; `next` is absent at
 * the end.
 */
export async function writeCopy(
  ctx: PlatformContext,
  row: ErasureRow,
  mayGoOn: () => boolean,
): Promise<{ file: ErasureCopyFile; next?: ErasureCopyPosition }> {
  const name = `exports/erasures/${row.id}/${(row.copy?.files.length ?? 0) + 1}.ndjson`;
  const hash = createHash("sha256");
  let lines = 0;
  let next: ErasureCopyPosition | undefined;
  const stages = await stagesOf(ctx, row);
  const textOf = (line: Line): Buffer => {
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
        const left = units.filter(({ key }) => key > after);
        for (let at = 0; at < left.length; at += atOnce) {
          const some = left.slice(at, at + atOnce);
          for (const line of (await allDone(some.map((unit) => unit.lines()))).flat()) yield textOf(line);
          next = { stage, after: some.at(-1)!.key };
          if (!mayGoOn()) return;
        }
      }
    }
    next = undefined;
  };
  const bytes = await writeExportFile(name, "application/x-ndjson", content());
  const file = { name, lines, bytes, sha256: hash.digest("hex") };
  return next ? { file, next } : { file };
}

async function stagesOf(ctx: PlatformContext, row: ErasureRow): Promise<Stage[]> {
  const { id, kind, tenantId, tenantName } = row;
  const head: Line = { type: "erasure", id, kind, tenantId, tenantName, writtenAt: ctx.clock().toISOString() };
  const first: Stage = async function* () {
    yield [{ key: "head", lines: async () => [head] }];
  };
  return [first, ...(kind === "tenant" ? stagesOfTenant(ctx, tenantId) : stagesOfSubject(ctx, row, await findSubject(ctx, row)))];
}

function stagesOfSubject(ctx: PlatformContext, { tenantId }: ErasureRow, found: Found): Stage[] {
  const calls: Stage = async function* () {
    yield [...found.calls].toSorted().map((callKey) => ({ key: callKey, lines: () => linesOfCall(ctx, tenantId, callKey) }));
  };
  return [calls, ...stagesOfLists(ctx, tenantId, (row) => refersTo(ctx, found, tenantId, row))];
}

function stagesOfTenant(ctx: PlatformContext, tenantId: string): Stage[] {
  const calls: Stage = async function* () {
    for await (const rows of ctx.platform.stored(tenantPartitions.calls(tenantId), "gsi1"))
      yield rows.map((row) => ({ key: String(row["gsi1sk"]), lines: () => linesOfCall(ctx, tenantId, String(row["callKey"])) }));
  };
  const audit: Stage = async function* () {
    for await (const { month, category, rows } of auditPages(ctx, tenantId))
      yield rows.map((row) => plain("audit", row, `${month}|${category}|${row.sk}`));
  };
  const whole = (type: string, partition: string): Stage =>
    async function* () {
      for await (const rows of ctx.platform.stored(partition)) yield rows.map((row) => plain(type, row));
    };
  const settings: Stage = async function* () {
    for await (const rows of ctx.platform.stored(tenantPartitions.config(tenantId)))
      yield rows.flatMap((row) => {
        const type = settingTypes[row.sk.split("#")[0] ?? ""];
        return type ? [plain(type, row)] : [];
      });
  };
  return [
    settings,
    whole("user", tenantPartitions.users(tenantId)),
    calls,
    ...stagesOfLists(ctx, tenantId, async () => true),
    whole("webhook", tenantPartitions.webhooks(tenantId)),
    whole("calendarEntry", tenantPartitions.calendarEntries(tenantId)),
    whole("optOut", tenantPartitions.optOuts(tenantId)),
    whole("total", tenantPartitions.stats(tenantId)),
    waiting(ctx, tenantId),
    audit,
  ];
}

const settingTypes: Readonly<Record<string, string>> = { TENANT: "tenant", OFFICE: "office", VOICE: "voiceProvider", AGENT: "voiceAgent" };

const plain = (type: string, row: StoredRow, key = row.sk): Unit => ({ key, lines: async () => [lineOf(type, row)] });

/** Messages and reminders that wait for their time. */
const waiting = ({ platform }: PlatformContext, tenantId: string): Stage =>
  async function* () {
    for (const shard of shards)
      for await (const rows of platform.stored(partitions.outgoing(shard)))
        yield rows.filter((row) => row["tenantId"] === tenantId).map((row) => opened("waiting", tenantId, row, `${shard}|${row.sk}`));
  };

/** Leads, tasks, messages and kept events, those that are meant. */
const stagesOfLists = ({ platform }: PlatformContext, tenantId: string, isMeant: (row: StoredRow) => Promise<boolean>): Stage[] =>
  (
    [
      ["lead", tenantPartitions.leads(tenantId)],
      ["task", tenantPartitions.tasks(tenantId)],
      ["message", tenantPartitions.messages(tenantId)],
    ] as const
  ).map(
    ([type, partition]): Stage =>
      async function* () {
        for await (const rows of platform.stored(partition)) {
          const meant: StoredRow[] = [];
          for (const row of rows) if (await isMeant(row)) meant.push(row);
          yield meant.map((row) => opened(type, tenantId, row));
        }
      },
  );

const opened = (type: string, tenantId: string, row: StoredRow, key = row.sk): Unit => ({
  key,
  async lines() {
    const { sealed, ...rest } = row;
    const content = typeof sealed === "string" ? { content: JSON.parse(await unseal("phi", tenantId, sealed)) as unknown } : {};
    return [lineOf(type, { ...rest, ...content })];
  },
});

async function linesOfCall({ platform }: PlatformContext, tenantId: string, callKey: string): Promise<Line[]> {
  const lines: Line[] = [];
  for await (const rows of platform.stored(tenantPartitions.callRuns(tenantId, callKey)))
    for (const row of rows) {
      if (row.sk === "CALL") lines.push({ ...lineOf("call", row), ...(await textsOf(tenantId, row)) });
      else if (row.sk.startsWith("RUN#")) lines.push(lineOf("toolRun", row));
    }
  return lines;
}

/** What was said, and staff's note; a file that retention has taken is left out. */
const textsOf = async (tenantId: string, row: StoredRow): Promise<Record<string, unknown>> => {
  const call = row as unknown as CallRow;
  const files = textFiles.flatMap((name) => call[name] ?? []);
  const texts = await allDone(
    files.map((file) => getSealedFile("phi", tenantId, file).then((text) => JSON.parse(text) as object, withoutMissing)),
  );
  const { sealedNote, ...followUp } = call.followUp ?? {};
  const note = sealedNote ? { note: await unseal("phi", tenantId, sealedNote) } : {};
  return { texts: Object.assign({}, ...texts) as object, ...(call.followUp ? { followUp: { ...followUp, ...note } } : {}) };
};

const withoutMissing = (error: unknown): object => {
  if (isAppError(error, "not_found")) return {};
  throw error;
};

const inTable = new Set(["pk", "sk", "gsi1pk", "gsi1sk", ...textFiles, "followUp"]);

const lineOf = (type: string, row: Record<string, unknown>): Line => ({
  type,
  ...Object.fromEntries(
    Object.entries(row).flatMap(([name, value]) => (inTable.has(name) ? [] : [[name, value instanceof Set ? [...value] : value]])),
  ),
});
