import { differences, expectedMatrix } from "./expected.ts";
import { tryAll, type Matrix } from "./matrix.ts";

/** `npm run matrix`: what each tool can do at each kind of EHR, beside what expected.tsv says it can. */

const print = (matrix: Matrix): void => {
  const names = Object.keys(matrix);
  const tools = Object.keys(Object.values(matrix)[0] ?? {});
  const width = Math.max(...tools.map(({ length }) => length)) + 2;
  const line = (first: string, cells: string[]) =>
    process.stdout.write(`${first.padEnd(width)}${cells.map((cell, at) => cell.padEnd(Math.max(9, names[at]!.length) + 2)).join("")}\n`);
  line("", names);
  for (const tool of tools)
    line(
      tool,
      names.map((name) => matrix[name]?.[tool] ?? ""),
    );
  line(
    "",
    names.map((name) => `${Object.values(matrix[name] ?? {}).filter((one) => one !== "no").length} of ${tools.length}`),
  );
};

const found = await tryAll((server) => process.stderr.write(`tried ${server}\n`));
print(found);
const wrong = differences(expectedMatrix(), found);
process.stdout.write(wrong.length === 0 ? "\nAs expected.\n" : `\nNot as expected:\n${wrong.map((one) => `  ${one}\n`).join("")}`);
process.exit(wrong.length === 0 ? 0 : 1);
