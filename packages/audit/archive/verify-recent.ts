import { getArchive } from "@vitaline/aws";
import { idFloor, inBatches } from "@vitaline/core";
import {
  auditCategories,
  type AuditCategory,
  type AuditRow,
  type ChainRow,
  keys,
  type OfficeRow,
  rowsOf,
  type TenantDirectoryRow,
  update,
} from "@vitaline/store";
import { partitions, type Key } from "@vitaline/store/keys.ts";
import { type PlatformContext, rowAt } from "@vitaline/store/platform.ts";
import { monthsBetween } from "../log/read-log.ts";
import { type BatchLine, batchName, readBatch } from "./batch.ts";
import { canonicalJson, chainHash, chainStart, openChain, type Chain } from "./chain.ts";
import { fingerprint, type Flaw, graceMs } from "./verify-batches.ts";

/** A longer chain that was never verified starts at its end; `audit:verify` reads its history. */
const mostUnverified = 2000;

/**
 * `tenantId`: undefined for the platform's chain. `since`: its last verification, or else the beginning of the tenant, or of the first one;
 * undefined of a chain without rows.
 */
type WaitingChain = { tenantId: string | undefined; since: string | undefined };

/** All chains, the longest unverified first. */
export async function chainsByAge({ platform }: PlatformContext): Promise<WaitingChain[]> {
  const tenants: Pick<TenantDirectoryRow, "id" | "createdAt">[] = [];
  // The partition also lists offices
  for await (const row of rowsOf<TenantDirectoryRow | OfficeRow>(platform, partitions.tenantDirectory))
    if ("organizationType" in row) tenants.push({ id: row.id, createdAt: row.createdAt });
  const heads = await inBatches(tenants, (some) => platform.batchGet(some.map(({ id }) => headOf(id))));
  const own = await platform.get(keys.platformChain());
  const chains = tenants.map(({ id, createdAt }, at) => ({ tenantId: id, since: heads[at] && (heads[at].lastVerifiedAt ?? createdAt) }));
  const begun = tenants.map(({ createdAt }) => createdAt).toSorted()[0];
  const platformChain = { tenantId: undefined, since: own && (own.lastVerifiedAt ?? begun) };
  return [platformChain, ...chains].toSorted((a, b) => ((a.since ?? "") < (b.since ?? "") ? -1 : 1));
}

/** For a read over several tenants. */
const headOf = (tenantId: string): Key<ChainRow> => rowAt(keys.tenantChain().primaryKeyIn(tenantId)) as Key<ChainRow>;

/** Where the last verification ended. */
type Mark = { batches: number; hash: string; until: string };

/**
 * Verifies what a chain got since the last time: that its new batches continue the hash chain, that their rows are as in the table, and
 * that every row of the table older than an hour is in the archive. Stores the result for the compliance page. Flaws are found again
 * until they are mended, because then the mark stays.
 */
export async function verifyRecent(ctx: PlatformContext, tenantId: string | undefined): Promise<Flaw[]> {
  const chain = openChain(ctx, tenantId);
  const head = await chain.store.get(chain.key);
  // After the head: rows from now on are in batches beyond it
  const now = ctx.clock();
  const mark = head?.checkedBatches === undefined ? await firstMark(chain, tenantId, head, now) : markOf(head);
  // A chain that began within the last hour has no row yet that must be archived
  const until = new Date(Math.max(Date.parse(mark.until), now.getTime() - graceMs)).toISOString();
  const archive = await readNew(tenantId, head, mark);
  const flaws = [...archive.flaws, ...(await compareWithTable(chain, archive, { from: mark.until, until, nowMs: now.getTime() }))];
  if (head) await store(chain, head, { now, flaws, next: flaws.length === 0 ? nextMark(archive, head, until) : mark });
  return flaws;
}

const markOf = ({ checkedBatches = 0, checkedHash = "", checkedUntil = "" }: ChainRow): Mark => ({
  batches: checkedBatches,
  hash: checkedHash,
  until: checkedUntil,
});

async function firstMark(chain: Chain, tenantId: string | undefined, head: ChainRow | undefined, now: Date): Promise<Mark> {
  if (head && head.batches > mostUnverified) return { batches: head.batches, hash: head.hash, until: now.toISOString() };
  const created = tenantId === undefined ? undefined : (await chain.store.get(keys.tenantConfig()))?.createdAt;
  const [first] = head ? await linesOf(tenantId, 1) : [];
  const starts = [created, first?.row?.at].filter((at) => at !== undefined);
  return { batches: 0, hash: chainStart(tenantId), until: starts.toSorted()[0] ?? now.toISOString() };
}

const linesOf = async (tenantId: string | undefined, number: number): Promise<BatchLine[]> =>
  readBatch((await getArchive(batchName(tenantId, number)))?.lines ?? "").lines;

type Archived = { batch: number; text: string; at: string; category: AuditCategory; isExpired(nowMs: number): boolean };
type NewBatches = { rows: Map<string, Archived>; ends: { number: number; before: string; newest: string }[]; flaws: Flaw[] };

async function readNew(tenantId: string | undefined, head: ChainRow | undefined, mark: Mark): Promise<NewBatches> {
  const found: NewBatches = { rows: new Map(), ends: [], flaws: [] };
  const flaw = (kind: Flaw["kind"], batch: number): void => void found.flaws.push({ kind, where: "archive", batch });
  let hash = mark.hash;
  for (let number = mark.batches + 1; number <= (head?.batches ?? 0); number++) {
    const object = await getArchive(batchName(tenantId, number));
    const { head: header, lines } = readBatch(object?.lines ?? "");
    if (object?.lines === undefined) flaw(object ? "unreadable" : "missing", number);
    else if (header?.batch !== number || header.before !== hash || header.rows !== lines.length) flaw("altered", number);
    const before = hash;
    for (const line of lines) {
      const isLinked = chainHash(hash, line.text) === line.hash;
      if (!isLinked || !line.row) flaw("altered", number);
      else if (found.rows.has(line.row.id)) found.flaws.push({ kind: "twice", where: "archive", batch: number, rowId: line.row.id });
      if (line.row) found.rows.set(line.row.id, archivedOf(line.row, fingerprint(line.text), number));
      hash = line.hash;
    }
    found.ends.push({ number, before, newest: lines.map(({ row }) => row?.at ?? "").reduce((a, b) => (a > b ? a : b), "") });
  }
  if (head && hash !== head.hash && found.flaws.length === 0) flaw("altered", head.batches);
  return found;
}

const archivedOf = ({ at, expiresAt, category }: NonNullable<BatchLine["row"]>, text: string, batch: number): Archived => ({
  batch,
  text,
  at,
  category: auditCategories.find((known) => known === category) ?? "api_call",
  isExpired: (nowMs) => expiresAt * 1000 <= nowMs,
});

type Window = { from: string; until: string; nowMs: number };

async function compareWithTable(chain: Chain, { rows, flaws: known }: NewBatches, { from, until, nowMs }: Window): Promise<Flaw[]> {
  const flaws: Flaw[] = [];
  const unseen = new Map(rows);
  const compare = (row: AuditRow, archived: Archived): void => {
    unseen.delete(row.id);
    if (fingerprint(canonicalJson(row)) !== archived.text)
      flaws.push({ kind: "altered", where: "table", batch: archived.batch, rowId: row.id });
  };
  const [fromMs, untilMs] = [Date.parse(from), Date.parse(until)];
  for (const month of monthsBetween(fromMs, untilMs))
    for (const category of auditCategories)
      for await (const row of rowsOf<AuditRow>(chain.store, chain.partitionOf(month, category), {
        from: idFloor(fromMs),
        to: idFloor(untilMs),
      })) {
        const archived = rows.get(row.id);
        if (archived) compare(row, archived);
        // Rows of a damaged batch are part of that flaw.
        else if (known.length === 0) flaws.push({ kind: "missing", where: "archive", rowId: row.id });
      }
  // Rows outside the window: archived late, or younger than an hour
  const others = [...unseen].filter(([, archived]) => !archived.isExpired(nowMs));
  const found = await inBatches(others, (some) =>
    chain.store.batchGet(some.map(([id, { at, category }]) => chain.rowKey(at.slice(0, 7), category, id))),
  );
  for (const [index, [rowId, archived]] of others.entries()) {
    const row = found[index];
    if (row) compare(row, archived);
    else flaws.push({ kind: "missing", where: "table", batch: archived.batch, rowId });
  }
  return flaws;
}

/** Before the first new batch with a row that is not in the compared window: the next verification compares that one. */
const nextMark = ({ ends }: NewBatches, head: ChainRow, until: string): Mark => {
  const open = ends.find(({ newest }) => newest >= until);
  return open ? { batches: open.number - 1, hash: open.before, until } : { batches: head.batches, hash: head.hash, until };
};

async function store(chain: Chain, head: ChainRow, { now, flaws, next }: { now: Date; flaws: Flaw[]; next: Mark }): Promise<void> {
  // What `audit:verify` found elsewhere in the chain stays until it finds it mended
  const elsewhere = Math.max(0, (head.verifiedRows ?? 0) - (head.intactRows ?? 0) - (head.recentFlaws ?? 0));
  const set = {
    lastVerifiedAt: now.toISOString(),
    verifiedRows: head.rows,
    intactRows: Math.max(0, head.rows - elsewhere - flaws.length),
    recentFlaws: flaws.length,
    checkedBatches: next.batches,
    checkedHash: next.hash,
    checkedUntil: next.until,
  };
  await chain.store.writeUnaudited(update(chain.key, { set }, { exists: true }));
}
