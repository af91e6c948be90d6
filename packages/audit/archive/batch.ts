import { archiveFolders } from "@vitaline/aws";
import * as z from "zod/mini";
import { canonical, chainHash } from "./chain.ts";

/**
 * A batch of a chain as it lies in the archive, one JSON a line: first what it is, then each row behind its hash.
 * The rows' texts are canonical, so what is hashed is what is read.
 */
export type Batch = { lines: string; hash: string };

const digits = 10;
/** Where a chain's nth batch lies; there is one place for it, so of two writers one finds it taken. */
export const batchName = (tenantId: string | undefined, number: number): string =>
  `${chains}${tenantId ?? platformChain}/${String(number).padStart(digits, "0")}.ndjson.gz`;
const chains = "archive/";
const platformChain = "platform";

/** Whose chains lie in the archive; undefined is the platform's. */
export const archivedChains = async (): Promise<(string | undefined)[]> =>
  (await archiveFolders(chains)).map((name) => (name === platformChain ? undefined : name));

export function writeBatch(number: number, before: string, rows: readonly Record<string, unknown>[]): Batch {
  let hash = before;
  const lines = rows.map((row) => {
    const text = canonical(row);
    hash = chainHash(hash, text);
    return `{"hash":"${hash}","row":${text}}\n`;
  });
  return { lines: `${canonical({ batch: number, before, rows: rows.length })}\n${lines.join("")}`, hash };
}

const Head = z.object({ batch: z.number(), before: z.string(), rows: z.number() });
const line = /^\{"hash":"([0-9a-f]{64})","row":(.*)\}$/s;
const Row = z.object({ id: z.string(), at: z.string(), expiresAt: z.number(), action: z.string(), detail: z.optional(z.unknown()) });

/** `row` is undefined where the text is no row of the audit. */
export type BatchLine = { hash: string; text: string; row: z.infer<typeof Row> | undefined };
export type ReadBatch = { head: z.infer<typeof Head> | undefined; lines: BatchLine[] };

const json = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** What can be made out of a batch, however it looks. */
export function readBatch(text: string): ReadBatch {
  const [head = "", ...lines] = text.split("\n").filter((each) => each !== "");
  return {
    head: z.safeParse(Head, json(head)).data,
    lines: lines.map((each) => {
      const [, hash = "", row = ""] = line.exec(each) ?? [];
      return { hash, text: row, row: z.safeParse(Row, json(row)).data };
    }),
  };
}
