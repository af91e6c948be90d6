import { readFileSync } from "node:fs";
import path from "node:path";
import type { Matrix, Support } from "./matrix.ts";

/** expected.tsv: a row a tool, a column a server. */
export function expectedMatrix(): Matrix {
  const [head = "", ...rows] = readFileSync(path.join(import.meta.dirname, "expected.tsv"), "utf8")
    .trimEnd()
    .split("\n");
  const [, ...servers] = head.split("\t");
  const cells = rows.map((row) => row.split("\t"));
  return Object.fromEntries(
    servers.map((server, at) => [server, Object.fromEntries(cells.map(([tool = "", ...supports]) => [tool, supports[at] as Support]))]),
  );
}

/** Where two matrices differ, in words. */
export const differences = (wanted: Matrix, found: Matrix): string[] =>
  [...new Set([...Object.keys(wanted), ...Object.keys(found)])].flatMap((server) => {
    const [expected = {}, actual = {}] = [wanted[server], found[server]];
    return [...new Set([...Object.keys(expected), ...Object.keys(actual)])]
      .filter((tool) => expected[tool] !== actual[tool])
      .map((tool) => `${tool} at ${server}: expected ${expected[tool] ?? "nothing"}, found ${actual[tool] ?? "nothing"}`);
  });
