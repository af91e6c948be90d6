import { getArchive } from "@vitaline/aws";
import type { ChainRow } from "@vitaline/store";
import * as z from "zod/mini";
import { type BatchLine, batchName, type ReadBatch, readBatch } from "./batch.ts";
import { chainHash, chainStart } from "./chain.ts";

/**
 * What is wrong with a batch, or with one row; `where` says in which of the three it was looked for. Misplaced: in another
 * partition than the row's own category, month or tenant says. Twice: under one id in several places. Unknown: in the
 * feed, without a row in any log.
 */
export type Flaw = {
  kind: "altered" | "missing" | "misplaced" | "reordered" | "twice" | "unknown" | "unreadable";
  where: "archive" | "table" | "feed";
  batch?: number;
  rowId?: string;
};

/** A row that is older and not in the archive should have been. */
export const graceMs = 3_600_000;

/** What the archive says of a row: a digest of its text, its batch, and how it hangs in the chain. */
export type Archived = { batch: number; text: string; link: Link; previousId: string | undefined; isExpired: boolean };

type Link = "whole" | "moved" | "broken";

/** An erasure that an audit row reports as done, with the digest of its certificate. */
export type ErasureRecord = { erasureId: string; digest: string };

const ErasureDone = z.object({ action: z.literal("erasure.done"), detail: z.object({ erasureId: z.string(), certificate: z.string() }) });

/** An erasure that a row tells of as done; the archive has such rows also when the table's have expired. */
export const erasureIn = (row: object): ErasureRecord[] => {
  const { data } = ErasureDone.safeParse(row);
  return data ? [{ erasureId: data.detail.erasureId, digest: data.detail.certificate }] : [];
};

export type Archive = { rows: Map<string, Archived>; erasures: ErasureRecord[]; flaws: Flaw[]; firstAt?: string; lastId?: string };

export const readArchive = async (tenantId: string | undefined, head: ChainRow | undefined, nowMs: number): Promise<Archive> => {
  const archive: Archive = { rows: new Map(), erasures: [], flaws: [] };
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
    addRows(archive, number, batch, before ?? batch.head?.before, nowMs);
    before = batch.lines.at(-1)?.hash;
  }
  // One more than the head knows of may have been put a moment ago; otherwise the head was set back or taken away.
  if (beyond.length > 1 || beyond[0]?.isOverdue)
    for (const { batch } of beyond) archive.flaws.push({ kind: "missing", where: "table", batch });
  return archive;
};

const addRows = (archive: Archive, number: number, { lines }: ReadBatch, before: string | undefined, nowMs: number): void => {
  let previous = before;
  for (const line of lines) {
    const { row } = line;
    if (!row) archive.flaws.push({ kind: "altered", where: "archive", batch: number });
    else {
      archive.firstAt ??= row.at;
      archive.erasures.push(...erasureIn(row));
      const link = linkOf(line, previous, lines);
      const isExpired = row.expiresAt * 1000 <= nowMs;
      archive.rows.set(row.id, { batch: number, text: fingerprint(line.text), link, previousId: archive.lastId, isExpired });
    }
    archive.lastId = row?.id;
    previous = line.hash;
  }
};

/** Whether a row comes after what it was chained to: where it does not, that may stand elsewhere in the batch. */
const linkOf = ({ hash, text }: BatchLine, previous: string | undefined, lines: readonly BatchLine[]): Link => {
  if (previous !== undefined && chainHash(previous, text) === hash) return "whole";
  return lines.some((other) => chainHash(other.hash, text) === hash) ? "moved" : "broken";
};

export const fingerprint = (text: string): string => chainHash("", text).slice(0, 32);
