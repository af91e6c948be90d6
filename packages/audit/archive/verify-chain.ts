import { auditCategories, type AuditRow, type ChainRow, keys, rowsOf, update } from "@vitaline/store";
import type { PlatformContext } from "@vitaline/store/platform.ts";
import { canonical, type Chain, chainOf } from "./chain.ts";
import { monthsBetween } from "../log/read-log.ts";
import { isInFeed, missedInFeed } from "./verify-feed.ts";
import {
  type Archive,
  type Archived,
  erasureIn,
  type ErasureRecord,
  fingerprint,
  type Flaw,
  graceMs,
  readArchive,
} from "./verify-batches.ts";

export type Verification = {
  /** Absent: the platform's own chain. */
  tenantId?: string;
  batches: number;
  /** Rows that ought to be there, in the archive and in the table. */
  rows: number;
  /** Of these, the ones that are the same in both and in their place in the chain. */
  intactRows: number;
  /** Rows on their way to the archive. */
  waiting: number;
  flaws: Flaw[];
  /** Erasures that these rows tell of as done, with the digest of each certificate. */
  erasures: ErasureRecord[];
  /** Nothing is wrong, and every row that was put into the chain is there. */
  isWhole: boolean;
};

/**
 * Reads a chain from its start and the table beside it, and names every row or batch that was altered, removed or put in
 * another place in either. What it finds goes into the chain's head, where the compliance numbers are taken from.
 * Reads all there is: for a command, or a schedule of days.
 */
export async function verifyTenant(ctx: PlatformContext, tenantId: string | undefined): Promise<Verification> {
  const chain = chainOf(ctx, tenantId);
  const nowMs = ctx.clock().getTime();
  const head = await chain.store.get(chain.key);
  const archive = await readArchive(tenantId, head, nowMs);
  const table = await compareTable(ctx, chain, archive, { tenantId, head, nowMs });
  const flaws = [...archive.flaws, ...table.flaws];
  const rows = Math.max(head?.rows ?? 0, archive.rows.size + table.overdue);
  const isWhole = flaws.length === 0 && table.intact === rows;
  const { intact: intactRows, waiting } = table;
  const erasures = [...archive.erasures, ...table.erasures];
  const result = { tenantId, batches: head?.batches ?? 0, rows, intactRows, waiting, flaws, erasures, isWhole };
  if (head)
    await chain.store.note(
      update(
        chain.key,
        { set: { lastVerifiedAt: new Date(nowMs).toISOString(), verifiedRows: rows, intactRows: table.intact } },
        { exists: true },
      ),
    );
  return result;
}

const feedBatch = 50;
/** A misplaced row is looked for as far back as a report reaches, and a month ahead. */
const strayMs = 366 * 86_400_000;

type Seen = "same" | "differs" | "misplaced" | "twice";
const seenAs = (isKnown: boolean, isInPlace: boolean, isSame: boolean): Seen => {
  if (isKnown) return "twice";
  if (!isInPlace) return "misplaced";
  return isSame ? "same" : "differs";
};

type Compared = { intact: number; waiting: number; overdue: number; flaws: Flaw[]; erasures: ErasureRecord[] };

/** Looks at every row of the table and of the archive, and says what each one's matter is. */
const compareTable = async (
  ctx: PlatformContext,
  chain: Chain,
  archive: Archive,
  { tenantId, head, nowMs }: { tenantId: string | undefined; head: ChainRow | undefined; nowMs: number },
): Promise<Compared> => {
  const compared: Compared = { intact: 0, waiting: 0, overdue: 0, flaws: [], erasures: [] };
  // Where batches are damaged, a row that the archive does not show was in one of them, however young it is.
  const lostUntil = archive.flaws.some(({ kind }) => kind !== "reordered") ? (head?.at ?? "") : "";
  const overdueBefore = new Date(nowMs - graceMs).toISOString();
  const seen = new Map<string, Seen>();
  let forFeed: AuditRow[] = [];
  const compareFeed = async (): Promise<void> => {
    compared.flaws.push(...(await missedInFeed(ctx, forFeed)));
    forFeed = [];
  };
  const fromMs = (await firstMonthMs(chain, tenantId, archive, nowMs)) - strayMs;
  for await (const { row, isInPlace } of tableRows(chain, tenantId, fromMs, nowMs + strayMs / 12)) {
    if (isInPlace && row.at < overdueBefore && isInFeed(row, nowMs)) forFeed.push(row);
    if (forFeed.length >= feedBatch) await compareFeed();
    if (!archive.rows.has(row.id)) compared.erasures.push(...erasureIn(row));
    const archived = archive.rows.get(row.id);
    if (archived) seen.set(row.id, seenAs(seen.has(row.id), isInPlace, fingerprint(canonical(row)) === archived.text));
    else if (!isInPlace) compared.flaws.push({ kind: "misplaced", where: "table", rowId: row.id });
    else if (row.at >= overdueBefore && row.at > lostUntil) compared.waiting += 1;
    else {
      compared.overdue += 1;
      compared.flaws.push({ kind: "missing", where: "archive", rowId: row.id });
    }
  }
  await compareFeed();
  const short = new Set(archive.flaws.map(({ batch }) => batch));
  // The hash before a broken link is gone: with a row that was taken out, or with one that is not what it was.
  const excused = ({ batch, previousId }: Archived): boolean =>
    short.has(batch) || short.has(batch - 1) || (previousId !== undefined && seen.get(previousId) === "differs");
  const followedByBreak = new Set([...archive.rows.values()].flatMap(({ link, previousId }) => (link === "broken" ? [previousId] : [])));
  for (const [rowId, archived] of archive.rows) {
    const matter = matterOf(archived, seen.get(rowId), excused(archived), followedByBreak.has(rowId));
    if (matter) compared.flaws.push({ ...matter, batch: archived.batch, rowId });
    else compared.intact += 1;
  }
  return compared;
};

/** What is wrong with a row of the archive, beside the same row of the table if it is there. */
const matterOf = (
  { link, isExpired }: Archived,
  inTable: Seen | undefined,
  excused: boolean,
  followedByBreak: boolean,
): Pick<Flaw, "kind" | "where"> | undefined => {
  if (inTable === "twice" || inTable === "misplaced") return { kind: inTable, where: "table" };
  if (inTable === "differs") return { kind: "altered", where: link === "broken" || followedByBreak ? "archive" : "table" };
  if (link === "moved") return { kind: "reordered", where: "archive" };
  if (link === "broken" && !excused) return { kind: "altered", where: "archive" };
  return inTable === undefined && !isExpired ? { kind: "missing", where: "table" } : undefined;
};

/** Every row of the log, and whether it lies where a row of its kind belongs, and in its turn. */
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

/** Where the table's rows begin: with the tenant itself, or with the first that the archive has. */
const firstMonthMs = async ({ store }: Chain, tenantId: string | undefined, { firstAt }: Archive, nowMs: number): Promise<number> => {
  const created = tenantId === undefined ? undefined : (await store.get(keys.tenantConfig()))?.createdAt;
  return Math.min(...[created, firstAt].map((at) => (at === undefined ? nowMs : Date.parse(at))));
};
