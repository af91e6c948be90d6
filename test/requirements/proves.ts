import { expect, test } from "vitest";
import { quotedIn, rows, type Row } from "./row.ts";

declare module "vitest" {
  interface TaskMeta {
    requirement?: string;
  }
}

type Proof = {
  row: Row;
  quoted: readonly string[];
  /** Searches `actual` for the row's quoted texts; all must be found over all calls. */
  sees(actual: unknown): void;
};

const textOf = (actual: unknown): string => (typeof actual === "string" ? actual : JSON.stringify(actual));

/** A test of one row of test/requirements.tsv. Counts only if it asserts something and finds every quoted text of the row. */
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
