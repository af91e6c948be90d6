import { expect, test } from "vitest";
import { quotedIn, rows, type Row } from "./row.ts";

declare module "vitest" {
  interface TaskMeta {
    /** The row of test/requirements.tsv that a test has proven. */
    requirement?: string;
  }
}

type Proof = {
  row: Row;
  /** The texts that the row quotes. */
  quoted: readonly string[];
  /** Looks for the row's quoted texts in what came; each must be met in one of the calls. */
  sees(actual: unknown): void;
};

const textOf = (actual: unknown): string => (typeof actual === "string" ? actual : JSON.stringify(actual));

/**
 * A test that proves one row of test/requirements.tsv. It counts only if it asserted something and met every text that the row quotes.
 */
export function proves(id: string, body: (proof: Proof) => Promise<void> | void): void {
  const row = rows.find((one) => one.id === id);
  if (!row) throw new Error(`test/requirements.tsv has no row ${id}`);
  test(`${id} ${row.requirement}`, async ({ task }) => {
    const quoted = quotedIn(row);
    const unseen = new Set(quoted);
    const sees = (actual: unknown): void => {
      for (const text of quoted) if (textOf(actual).includes(text)) unseen.delete(text);
    };
    await body({ row, quoted, sees });
    expect([...unseen]).toEqual([]);
    expect(expect.getState().assertionCalls).toBeGreaterThan(1);
    task.meta.requirement = id;
  });
}
