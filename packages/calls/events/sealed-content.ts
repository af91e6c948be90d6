import { putSealedFile, type StoredFile } from "@vitaline/aws";
import type { CallTexts, Retention } from "@vitaline/contract";
import type { TenantContext } from "@vitaline/store";
import type { ParsedCallEvent } from "./call-event.ts";
import { hasEnded } from "./rank.ts";

/** A call's sealed files, each named after the richest that it holds, the poorest first: who reads several trusts the later ones more. */
export const textFiles = ["arrival", "numbers", "analysis", "summary", "transcript"] as const;
/** Where what was said in a call lies. */
export const filesOf = (row: SealedTexts): StoredFile[] => textFiles.flatMap((name) => row[name] ?? []);

type TextFile = (typeof textFiles)[number];
export type SealedTexts = { [Name in TextFile]?: StoredFile };

/** What is left of the caller's time to keep the event as it came, where the bucket does not answer. */
const keepMs = 4000;

/** What they tell while a call is going on, they tell again at its end. The others may say it once. */
const repeating: ReadonlySet<ParsedCallEvent["platform"]> = new Set(["vapi", "retellai", "elevenlabs"]);

/**
 * All of the event that may tell of a patient, sealed into one file of the files bucket: JSON of CallTexts. The key is fixed by
 * call, content and rank, so a repeated event finds its file in place and leaves none over. No file where there is nothing of the
 * kind, nor for numbers or an analysis of a call going on that will be told again. The bucket deletes it after its period.
 */
export async function sealTexts(
  ctx: TenantContext,
  callKey: string,
  rank: number,
  event: ParsedCallEvent,
  { transcripts: keptDays }: Pick<Retention, "transcripts">,
): Promise<SealedTexts> {
  const file = fileOf(rank, event);
  if (file === undefined) return {};
  const { summary, transcript, callerNumber, calledNumber, forwardedTo, analysis } = event;
  const texts = { summary, transcript, callerNumber, calledNumber, forwardedTo, analysis } satisfies CallTexts;
  const key = `calls/${ctx.tenantId}/${callKey}/${file}-${rank}`;
  const withinMs = ctx.deadline.remainingMs() - keepMs;
  return { [file]: await putSealedFile("phi", ctx.tenantId, key, JSON.stringify(texts), { withinMs, keptDays }) };
}

const fileOf = (rank: number, event: ParsedCallEvent): TextFile | undefined => {
  const { platform, status, summary, transcript, callerNumber, calledNumber, forwardedTo, analysis } = event;
  if (transcript) return "transcript";
  if (summary !== undefined) return "summary";
  const isGoingOn = status !== undefined && !hasEnded(rank);
  if (isGoingOn && repeating.has(platform)) return undefined;
  if (analysis) return "analysis";
  if ([callerNumber, calledNumber, forwardedTo].every((number) => number === undefined)) return undefined;
  return isGoingOn ? "arrival" : "numbers";
};
