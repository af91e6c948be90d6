import { getSealedFile, putSealedFile, type StoredFile } from "@vitaline/aws";
import { CallTexts, type Retention } from "@vitaline/contract";
import { awaitAllThenThrow, isAppError } from "@vitaline/core";
import type { CallRow, TenantContext } from "@vitaline/store";
import * as z from "zod/mini";
import type { ParsedCallEvent } from "./call-event.ts";
import { contentExpiredAt, hasEnded } from "./call-row.ts";

/** A call's sealed files, each named after its most detailed content. Later files take precedence when several are read. */
export const contentFileNames = ["liveNumbers", "numbers", "analysis", "summary", "transcript"] as const;
type ContentFile = (typeof contentFileNames)[number];
export type SealedFiles = { [Name in ContentFile]?: StoredFile };

export const contentFiles = (row: SealedFiles): StoredFile[] => contentFileNames.flatMap((name) => row[name] ?? []);

/** Time reserved for keeping the raw event if the bucket does not answer. */
const reservedMs = 4000;

/** These platforms repeat a running call's data, except a transfer's number, in their report; the others may send it only once. */
const repeatingPlatforms: ReadonlySet<ParsedCallEvent["platform"]> = new Set(["vapi", "retellai", "elevenlabs"]);

/**
 * Seals an event's patient data (JSON of CallTexts) into one file of the files bucket. The key depends on call, content and rank,
 * so a repeated event reuses its file. Writes no file for an event without such data, or for numbers or an analysis of a
 * running call that the platform will repeat. The bucket deletes the file after its retention period.
 */
export async function sealContent(
  ctx: TenantContext,
  callKey: string,
  rank: number,
  event: ParsedCallEvent,
  { transcripts: keptDays }: Pick<Retention, "transcripts">,
): Promise<SealedFiles> {
  const file = chooseFile(rank, event);
  if (file === undefined) return {};
  const { summary, transcript, callerNumber, calledNumber, forwardedTo, analysis, scores } = event;
  const content = { summary, transcript, callerNumber, calledNumber, forwardedTo, analysis, scores } satisfies CallTexts;
  const key = `calls/${ctx.tenantId}/${callKey}/${file}-${rank}`;
  const withinMs = ctx.deadline.remainingMs() - reservedMs;
  return { [file]: await putSealedFile("phi", ctx.tenantId, key, JSON.stringify(content), { withinMs, keptDays }) };
}

const chooseFile = (rank: number, event: ParsedCallEvent): ContentFile | undefined => {
  const { platform, status, summary, transcript, callerNumber, calledNumber, forwardedTo, analysis, scores } = event;
  if (transcript) return "transcript";
  if (summary !== undefined) return "summary";
  const isRunning = status !== undefined && !hasEnded(rank);
  if (isRunning && repeatingPlatforms.has(platform)) return forwardedTo === undefined ? undefined : "liveNumbers";
  if (analysis || scores) return "analysis";
  if ([callerNumber, calledNumber, forwardedTo].every((number) => number === undefined)) return undefined;
  return isRunning ? "liveNumbers" : "numbers";
};

/**
 * A call's unsealed content. Expired content is not shown, even if the bucket has not deleted it yet. A file that is already
 * missing expired under an earlier, shorter period.
 */
export async function readContent(ctx: TenantContext, row: CallRow): Promise<{ content: CallTexts; removedAt?: string | undefined }> {
  const files = contentFiles(row);
  const expiredAt = files.length === 0 ? undefined : contentExpiredAt(row, ctx.clock());
  if (expiredAt !== undefined) return { content: {}, removedAt: expiredAt };
  const contents = await awaitAllThenThrow(files.map((file) => readFile(ctx, file)));
  return {
    content: Object.assign({}, ...contents) as CallTexts,
    removedAt: contents.includes(undefined) ? ctx.clock().toISOString() : undefined,
  };
}

const readFile = async (ctx: TenantContext, file: StoredFile): Promise<CallTexts | undefined> => {
  try {
    return z.parse(CallTexts, JSON.parse(await getSealedFile("phi", ctx.tenantId, file)));
  } catch (error) {
    if (isAppError(error, "not_found")) return undefined;
    throw error;
  }
};
