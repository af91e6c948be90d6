import { getArchive } from "@vitaline/aws";
import type { ChainRow } from "@vitaline/store";
import * as z from "zod/mini";
import { type BatchLine, batchName, type ReadBatch, readBatch } from "./batch.ts";
import { chainHash, chainStart } from "./chain.ts";

/**
 * A damaged batch or row. `misplaced`: in a partition of another category, month or tenant. `twice`: the same id in several places.
 * `unknown`: in the feed, but in no log.
 */
export type Flaw = {
  kind: "altered" | "missing" | "misplaced" | "reordered" | "twice" | "unknown" | "unreadable";
  where: "archive" | "table" | "feed";
  batch?: number;
  rowId?: string;
};

/** Older rows must be in the archive. */
export const graceMs = 3_600_000;

/** `text`: a digest of the row. `link`: whether its hash follows from the row before it, from another row of the batch, or from neither. */
export type Archived = { batch: number; text: string; link: Link; previousId: string | undefined; isExpired: boolean };

type Link = "whole" | "moved" | "broken";

/** An erasure that an audit row reports as done, with the digest of its certificate. */
export type ErasureRecord = { erasureId: string; digest: string };

const ErasureDone = z.object({ action: z.literal("erasure.done"), detail: z.object({ erasureId: z.string(), certificate: z.string() }) });

/** The archive keeps these rows after they have expired in the table. */
export const erasureRecords = (row: object): ErasureRecord[] => {
  const { data } = ErasureDone.safeParse(row);
  return data ? [{ erasureId: data.detail.erasureId, digest: data.detail.certificate }] : [];
};

export type ArchiveState = { rows: Map<string, Archived>; erasures: ErasureRecord[]; flaws: Flaw[]; firstAt?: string; lastId?: string };

export const verifyBatches = async (tenantId: string | undefined, head: ChainRow | undefined, nowMs: number): Promise<ArchiveState> => {
  const archive: ArchiveState = { rows: new Map(), erasures: [], flaws: [] };
  const flaw = (kind: Flaw["kind"], batch: number): void => void archive.flaws.push({ kind, where: "archive", batch });
  const batches = head?.batches ?? 0;
  const overdueBefore = new Date(nowMs - graceMs).toISOString();
  const beyond: { batch: number; isOverdue: boolean }[] = [];
  let before: string | undefined = chainStart(tenantId);
  for (let number = 1; ; number++) {
    const object = await getArchive(batchName(tenantId, number));
    if (number === batches + 1 && head && before !== undefined && before !== head.hash) flaw("altered", batches);
    if (number > batches && object === undefined) break;
    if (object?.lines === undefined) {
      flaw(object ? "unreadable" : "missing", number);
      before = undefined;
      continue;
    }
    const batch = readBatch(object.lines);
    if (number > batches) beyond.push({ batch: number, isOverdue: (batch.lines[0]?.row?.at ?? "") < overdueBefore });
    if (batch.head && batch.head.batch !== number) flaw("reordered", number);
    else if (!batch.head || (before !== undefined && batch.head.before !== before)) flaw("altered", number);
    if (batch.head && batch.head.rows > batch.lines.length) flaw("missing", number);
    else if (batch.head && batch.head.rows < batch.lines.length) flaw("altered", number);
    addBatch(archive, number, batch, before ?? batch.head?.before, nowMs);
    before = batch.lines.at(-1)?.hash;
  }
  // One batch beyond the head may just have been written; more, or an old one, means that the head was reset or deleted.
  if (beyond.length > 1 || beyond[0]?.isOverdue)
    for (const { batch } of beyond) archive.flaws.push({ kind: "missing", where: "table", batch });
  return archive;
};

const addBatch = (archive: ArchiveState, number: number, { lines }: ReadBatch, before: string | undefined, nowMs: number): void => {
  let previous = before;
  for (const line of lines) {
    const { row } = line;
    if (!row) archive.flaws.push({ kind: "altered", where: "archive", batch: number });
    else {
      archive.firstAt ??= row.at;
      archive.erasures.push(...erasureRecords(row));
      const link = linkOf(line, previous, lines);
      const isExpired = row.expiresAt * 1000 <= nowMs;
      archive.rows.set(row.id, { batch: number, text: fingerprint(line.text), link, previousId: archive.lastId, isExpired });
    }
    archive.lastId = row?.id;
    previous = line.hash;
  }
};

const linkOf = ({ hash, text }: BatchLine, previous: string | undefined, lines: readonly BatchLine[]): Link => {
  if (previous !== undefined && chainHash(previous, text) === hash) return "whole";
  return lines.some((other) => chainHash(other.hash, text) === hash) ? "moved" : "broken";
};

export const fingerprint = (text: string): string => chainHash("", text).slice(0, 32);
