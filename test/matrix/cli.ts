import { differences, expectedMatrix, expectedRequests, requestDifferences } from "./expected.ts";
import { tryAll, type Counts, type Matrix } from "./matrix.ts";

/** `npm run matrix`: prints the support and request count of each tool at each EHR beside the expected tables. */

const table = (columns: Record<string, Record<string, string>>, rows: string[]): void => {
  const names = Object.keys(columns);
  const width = Math.max(...rows.map(({ length }) => length)) + 2;
  const line = (first: string, cells: string[]) =>
    process.stdout.write(`${first.padEnd(width)}${cells.map((cell, at) => cell.padEnd(Math.max(9, names[at]!.length) + 2)).join("")}\n`);
  line("", names);
  for (const row of rows)
    line(
      row,
      names.map((name) => columns[name]?.[row] ?? ""),
    );
};

const printSupport = (matrix: Matrix): void => {
  const tools = Object.keys(Object.values(matrix)[0] ?? {});
  const total = `of ${tools.length}`;
  const totals = (support: Record<string, string>) => `${Object.values(support).filter((one) => one !== "no").length}`;
  table(Object.fromEntries(Object.entries(matrix).map(([name, support]) => [name, { ...support, [total]: totals(support) }])), [
    ...tools,
    total,
  ]);
};

const printCounts = (counts: Counts): void => {
  const rows = [...new Set(Object.values(counts).flatMap((one) => Object.keys(one)))];
  const said = (one: Counts[string]) =>
    Object.fromEntries(Object.entries(one).map(([row, { requests, pages }]) => [row, pages > 0 ? `${requests} +${pages}` : `${requests}`]));
  process.stdout.write("\nRequests to the EHR, +further pages and days of searches\n");
  table(Object.fromEntries(Object.entries(counts).map(([name, one]) => [name, said(one)])), rows);
};

const { matrix, counts } = await tryAll((server) => process.stderr.write(`tried ${server}\n`));
printSupport(matrix);
printCounts(counts);
const wrong = [...differences(expectedMatrix(), matrix), ...requestDifferences(expectedRequests(), counts)];
process.stdout.write(wrong.length === 0 ? "\nAs expected.\n" : `\nNot as expected:\n${wrong.map((one) => `  ${one}\n`).join("")}`);
process.exit(wrong.length === 0 ? 0 : 1);
