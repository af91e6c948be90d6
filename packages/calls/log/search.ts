import type { CallSearchAnswer, CallSearchRequest, FoundCall } from "@vitaline/contract";
import { awaitAllThenThrow } from "@vitaline/core";
import { keys, type Audit, type CallOfNumberRow, type CallRow, type TenantContext } from "@vitaline/store";
import { contentExpiredAt } from "../events/call-row.ts";
import { numberHashes } from "../events/other-party.ts";
import { readContent } from "../events/sealed-content.ts";
import { countCalls } from "../metrics/totals.ts";
import { requireOffice } from "../office.ts";
import { toListedCall } from "./call-view.ts";
import { withToolsSoFar } from "./tool-runs.ts";
import { findCalls } from "./list.ts";

const before = 40;
const longest = 160;

/** What stands around the first of the words, on one line; undefined if the summary lacks any of them. */
export function excerptOf(summary: string | undefined, words: string): string | undefined {
  if (summary === undefined) return undefined;
  const line = summary.replaceAll(/\s+/g, " ").trim();
  const lower = line.toLowerCase();
  const places = words
    .toLowerCase()
    .split(/\s+/)
    .filter(Boolean)
    .map((word) => lower.indexOf(word));
  if (places.length === 0 || places.includes(-1)) return undefined;
  const start = line.length <= longest ? 0 : startOfWord(line, Math.min(...places) - before);
  const end = start + longest;
  return `${start > 0 ? "…" : ""}${line.slice(start, end).toWellFormed().trim()}${end < line.length ? "…" : ""}`;
}

const startOfWord = (line: string, at: number): number => (at <= 0 ? 0 : line.indexOf(" ", at) + 1);

type By<Kind extends CallSearchRequest["by"]> = Extract<CallSearchRequest, { by: Kind }>;
type Found = { rows: { row: CallRow; excerpt?: string | undefined }[] } & Pick<CallSearchAnswer, "read" | "total"> & {
    next?: string | undefined;
  };

const numberPageSize = 20;
/** Each is a file of its own. */
const summaryPageSize = 25;

/**
 * Finds the tenant's calls by what stands in no address: a phone number, or words of a summary. The search is audited, and each found call for itself,
 * before the answer is sent. AppError `not_found` for another tenant's office.
 */
export async function searchCalls(ctx: TenantContext, request: CallSearchRequest): Promise<CallSearchAnswer> {
  if (request.by === "summary" && request.onlyCount) return { found: [], read: 0, total: await countOf(ctx, request), next: null };
  const { rows, read, total, next } = await (request.by === "number" ? byNumber(ctx, request) : bySummary(ctx, request));
  await auditSearch(
    ctx,
    request,
    read,
    rows.map(({ row }) => row.callKey),
  );
  const now = ctx.clock();
  const withTools = await withToolsSoFar(
    ctx,
    rows.map(({ row }) => row),
  );
  const found = rows.map(({ row, excerpt }, at): FoundCall => ({
    call: toListedCall(withTools[at] ?? row, now),
    excerpt: excerpt ?? null,
  }));
  return { found, read, total, next: next ?? null };
}

/** One Query of a page and one BatchGet. After a rotation of the secret, numbers of before are read under the former hash at the end. */
async function byNumber(ctx: TenantContext, { number, cursor }: By<"number">): Promise<Found> {
  const hashes = numberHashes(ctx.tenantId, number);
  const [at, position] = placeIn(cursor);
  const hash = hashes[at] ?? "";
  const page = await ctx.store.query<CallOfNumberRow>(keys.tenantPartitions.callsOfNumber(ctx.tenantId, hash), {
    descending: true,
    limit: numberPageSize,
    cursor: position,
  });
  const rows = page.rows.length === 0 ? [] : await ctx.store.batchGet(page.rows.map(({ callKey }) => keys.call(callKey)));
  const now = ctx.clock();
  const shown = rows.flatMap((row) => (row?.numberHash === hash && contentExpiredAt(row, now) === undefined ? [{ row }] : []));
  const later = at + 1 < hashes.length ? `${at + 1}.` : undefined;
  return { rows: shown, read: page.rows.length, total: null, next: page.next === undefined ? later : `${at}.${page.next}` };
}

/** "1.", or "1." and the position in the list under the second hash. */
const placeIn = (cursor: string | undefined): [at: number, position: string | undefined] => {
  const [, at = "0", position = ""] = /^(\d)\.(.*)$/.exec(cursor ?? "") ?? [];
  return [Number(at), position || undefined];
};

/** One Query, and the sealed files of at most 25 calls. */
async function bySummary(ctx: TenantContext, request: By<"summary">): Promise<Found> {
  const { text, from, to, officeId, cursor } = request;
  const [{ rows, next }, total] = await awaitAllThenThrow([
    findCalls(ctx, { from, to, limit: summaryPageSize, cursor }),
    cursor === undefined ? countOf(ctx, request) : null,
    requireOffice(ctx, officeId),
  ]);
  const read = rows.filter((row) => officeId === undefined || row.officeId === officeId);
  const matches = await awaitAllThenThrow(
    read.map(async (row) => ({ row, excerpt: excerptOf((await readContent(ctx, row)).content.summary, text) })),
  );
  return { rows: matches.filter(({ excerpt }) => excerpt !== undefined), read: rows.length, total, next };
}

/** Calls in progress are not counted, and days count as a whole. */
const countOf = (ctx: TenantContext, { from, to }: By<"summary">): Promise<number> => countCalls(ctx, from, to);

async function auditSearch(ctx: TenantContext, { by }: CallSearchRequest, read: number, callKeys: readonly string[]): Promise<void> {
  const searched: Audit = {
    category: "data_query",
    action: "call.search",
    resourceType: "Call",
    detail: { by, read, found: callKeys.length },
  };
  const found = callKeys.map((callKey): Audit => ({
    category: "patient_access",
    action: "call.found",
    resourceType: "Call",
    resourceId: callKey,
    callKey,
    detail: { by },
  }));
  await awaitAllThenThrow([searched, ...found].map((audit) => ctx.store.commit([], audit)));
}
