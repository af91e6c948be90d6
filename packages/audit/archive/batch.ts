import { archiveFolders } from "@vitaline/aws";
import { parseJson } from "@vitaline/core";
import * as z from "zod/mini";
import { canonicalJson, chainHash } from "./chain.ts";

const archivePrefix = "archive/";
const platformFolder = "platform";
const numberDigits = 10;

/** Object key of a chain's nth batch. A key can be written only once, so of two writers one finds it taken. */
export const batchName = (tenantId: string | undefined, number: number): string =>
  `${archivePrefix}${tenantId ?? platformFolder}/${String(number).padStart(numberDigits, "0")}.ndjson.gz`;

/** Tenant ids of the archived chains; undefined is the platform's own. */
export const archivedChains = async (): Promise<(string | undefined)[]> =>
  (await archiveFolders(archivePrefix)).map((name) => (name === platformFolder ? undefined : name));

/** JSON lines: a header, then each row with its chain hash. Returns the hash of the last row. */
export function writeBatch(number: number, before: string, rows: readonly Record<string, unknown>[]): { lines: string; hash: string } {
  let hash = before;
  const lines = rows.map((row) => {
    const text = canonicalJson(row);
    hash = chainHash(hash, text);
    return `{"hash":"${hash}","row":${text}}\n`;
  });
  return { lines: `${canonicalJson({ batch: number, before, rows: rows.length })}\n${lines.join("")}`, hash };
}

const Header = z.object({ batch: z.number(), before: z.string(), rows: z.number() });
const linePattern = /^\{"hash":"([0-9a-f]{64})","row":(.*)\}$/s;
const Row = z.object({
  id: z.string(),
  at: z.string(),
  expiresAt: z.number(),
  category: z.string(),
  action: z.string(),
  detail: z.optional(z.unknown()),
});

export type BatchLine = { hash: string; text: string; row: z.infer<typeof Row> | undefined };
export type ReadBatch = { head: z.infer<typeof Header> | undefined; lines: BatchLine[] };

/** Parses a batch that may be damaged. */
export function readBatch(text: string): ReadBatch {
  const [head = "", ...lines] = text.split("\n").filter((each) => each !== "");
  return {
    head: z.safeParse(Header, parseJson(head)).data,
    lines: lines.map((each) => {
      const [, hash = "", row = ""] = linePattern.exec(each) ?? [];
      return { hash, text: row, row: z.safeParse(Row, parseJson(row)).data };
    }),
  };
}
