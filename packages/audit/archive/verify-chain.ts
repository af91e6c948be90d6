import { dayMs } from "@vitaline/core";
import { auditCategories, type AuditRow, type ChainRow, keys, rowsOf, update } from "@vitaline/store";
import type { PlatformContext } from "@vitaline/store/platform.ts";
import { canonicalJson, type Chain, openChain } from "./chain.ts";
import { monthsBetween } from "../log/read-log.ts";
import { isInFeed, findFeedFlaws } from "./verify-feed.ts";
import {
  type ArchiveState,
  type Archived,
  erasureRecords,
  type ErasureRecord,
  fingerprint,
  type Flaw,
  graceMs,
  verifyBatches,
} from "./verify-batches.ts";

export type Verification = {
  /** Undefined for the platform's own chain. */
  tenantId?: string;
  batches: number;
  /** Expected in the archive and in the table. */
  rows: number;
  /** Identical in both and in order in the chain. */
  intactRows: number;
  /** Not archived yet, but recent. */
  waiting: number;
  flaws: Flaw[];
  erasures: ErasureRecord[];
  isWhole: boolean;
};

/**
 * Compares a whole chain with the table and the feed, and lists every altered, missing or misplaced row and batch. Stores the counts
 * in the chain's head for the compliance metrics. Reads everything: for a command, or a schedule of days.
 */
export async function verifyTenant(ctx: PlatformContext, tenantId: string | undefined): Promise<Verification> {
  const chain = openChain(ctx, tenantId);
  const nowMs = ctx.clock().getTime();
  const head = await chain.store.get(chain.key);
  const archive = await verifyBatches(tenantId, head, nowMs);
  const table = await compareTable(ctx, chain, archive, { tenantId, head, nowMs });
  const flaws = [...archive.flaws, ...table.flaws];
  const rows = Math.max(head?.rows ?? 0, archive.rows.size + table.overdue);
  const isWhole = flaws.length === 0 && table.intact === rows;
  const { intact: intactRows, waiting } = table;
  const erasures = [...archive.erasures, ...table.erasures];
  const result = { tenantId, batches: head?.batches ?? 0, rows, intactRows, waiting, flaws, erasures, isWhole };
  if (head)
    await chain.store.writeUnaudited(
      update(
        chain.key,
        { set: { lastVerifiedAt: new Date(nowMs).toISOString(), verifiedRows: rows, intactRows: table.intact, recentFlaws: 0 } },
        { exists: true },
      ),
    );
  return result;
}

const feedBatch = 50;
/** How far around the expected time to search for misplaced rows: a year back and a month ahead. */
const searchBackMs = 366 * dayMs;
const searchAheadMs = searchBackMs / 12;

type TableState = "same" | "differs" | "misplaced" | "twice";
const tableState = (isKnown: boolean, isInPlace: boolean, isSame: boolean): TableState => {
  if (isKnown) return "twice";
  if (!isInPlace) return "misplaced";
  return isSame ? "same" : "differs";
};

type Comparison = { intact: number; waiting: number; overdue: number; flaws: Flaw[]; erasures: ErasureRecord[] };

const compareTable = async (
  ctx: PlatformContext,
  chain: Chain,
  archive: ArchiveState,
  { tenantId, head, nowMs }: { tenantId: string | undefined; head: ChainRow | undefined; nowMs: number },
): Promise<Comparison> => {
  const compared: Comparison = { intact: 0, waiting: 0, overdue: 0, flaws: [], erasures: [] };
  // If batches are damaged, a row missing from the archive was in one of them, even if it is recent.
  const lostUntil = archive.flaws.some(({ kind }) => kind !== "reordered") ? (head?.at ?? "") : "";
  const overdueBefore = new Date(nowMs - graceMs).toISOString();
  const seen = new Map<string, TableState>();
  let forFeed: AuditRow[] = [];
  const compareFeed = async (): Promise<void> => {
    compared.flaws.push(...(await findFeedFlaws(ctx, forFeed)));
    forFeed = [];
  };
  const fromMs = (await firstMonthMs(chain, tenantId, archive, nowMs)) - searchBackMs;
  for await (const { row, isInPlace } of tableRows(chain, tenantId, fromMs, nowMs + searchAheadMs)) {
    if (isInPlace && row.at < overdueBefore && isInFeed(row, nowMs)) forFeed.push(row);
    if (forFeed.length >= feedBatch) await compareFeed();
    if (!archive.rows.has(row.id)) compared.erasures.push(...erasureRecords(row));
    const archived = archive.rows.get(row.id);
    if (archived) seen.set(row.id, tableState(seen.has(row.id), isInPlace, fingerprint(canonicalJson(row)) === archived.text));
    else if (!isInPlace) compared.flaws.push({ kind: "misplaced", where: "table", rowId: row.id });
    else if (row.at >= overdueBefore && row.at > lostUntil) compared.waiting += 1;
    else {
      compared.overdue += 1;
      compared.flaws.push({ kind: "missing", where: "archive", rowId: row.id });
    }
  }
  await compareFeed();
  const damagedBatches = new Set(archive.flaws.map(({ batch }) => batch));
  // A broken link next to a removed or altered row is a consequence of that flaw, not a second one.
  const isExplained = ({ batch, previousId }: Archived): boolean =>
    damagedBatches.has(batch) || damagedBatches.has(batch - 1) || (previousId !== undefined && seen.get(previousId) === "differs");
  const followedByBreak = new Set([...archive.rows.values()].flatMap(({ link, previousId }) => (link === "broken" ? [previousId] : [])));
  for (const [rowId, archived] of archive.rows) {
    const flaw = flawOf(archived, seen.get(rowId), isExplained(archived), followedByBreak.has(rowId));
    if (flaw) compared.flaws.push({ ...flaw, batch: archived.batch, rowId });
    else compared.intact += 1;
  }
  return compared;
};

const flawOf = (
  { link, isExpired }: Archived,
  inTable: TableState | undefined,
  isExplained: boolean,
  followedByBreak: boolean,
): Pick<Flaw, "kind" | "where"> | undefined => {
  if (inTable === "twice" || inTable === "misplaced") return { kind: inTable, where: "table" };
  if (inTable === "differs") return { kind: "altered", where: link === "broken" || followedByBreak ? "archive" : "table" };
  if (link === "moved") return { kind: "reordered", where: "archive" };
  if (link === "broken" && !isExplained) return { kind: "altered", where: "archive" };
  return inTable === undefined && !isExpired ? { kind: "missing", where: "table" } : undefined;
};

/** `isInPlace`: in its own partition, and in order of ids. */
async function* tableRows(
  { store, partitionOf }: Chain,
  tenantId: string | undefined,
  fromMs: number,
  untilMs: number,
): AsyncGenerator<{ row: AuditRow; isInPlace: boolean }> {
  for (const month of monthsBetween(fromMs, untilMs + 1))
    for (const category of auditCategories) {
      let last = "";
      for await (const row of rowsOf<AuditRow>(store, partitionOf(month, category))) {
        const isInPlace = row.category === category && row.at.startsWith(month) && row.tenantId === tenantId && row.id > last;
        yield { row, isInPlace };
        last = row.id;
      }
    }
}

const firstMonthMs = async ({ store }: Chain, tenantId: string | undefined, { firstAt }: ArchiveState, nowMs: number): Promise<number> => {
  const created = tenantId === undefined ? undefined : (await store.get(keys.tenantConfig()))?.createdAt;
  return Math.min(...[created, firstAt].map((at) => (at === undefined ? nowMs : Date.parse(at))));
};
