import { putSealedFile, type StoredFile } from "@vitaline/aws";
import type { TenantContext } from "@vitaline/store";
import type { ParsedCallEvent } from "./event.ts";

export type SealedTexts = { transcript?: StoredFile; summary?: StoredFile };

/**
 * What was said in the call, sealed into the files bucket: JSON of `{ summary?, transcript }`, or of `{ summary }` where a
 * summary comes alone. The key is fixed by call and rank, so a repeated event finds its file in place and leaves none over.
 */
export async function sealTexts(
  ctx: TenantContext,
  callKey: string,
  rank: number,
  { summary, transcript }: ParsedCallEvent,
): Promise<SealedTexts> {
  if (summary === undefined && transcript === undefined) return {};
  const kind = transcript ? "transcript" : "summary";
  const key = `calls/${ctx.tenantId}/${callKey}/${kind}-${rank}`;
  return { [kind]: await putSealedFile("phi", ctx.tenantId, key, JSON.stringify({ summary, transcript })) };
}
