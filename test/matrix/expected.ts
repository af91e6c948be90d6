import { readFileSync } from "node:fs";
import path from "node:path";
import type { Counts, Matrix, Support } from "./matrix.ts";

/** expected.tsv: a row per tool, a column per server. */
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

export const differences = (wanted: Matrix, found: Matrix): string[] =>
  [...new Set([...Object.keys(wanted), ...Object.keys(found)])].flatMap((server) => {
    const [expected = {}, actual = {}] = [wanted[server], found[server]];
    return [...new Set([...Object.keys(expected), ...Object.keys(actual)])]
      .filter((tool) => expected[tool] !== actual[tool])
      .map((tool) => `${tool} at ${server}: expected ${expected[tool] ?? "nothing"}, found ${actual[tool] ?? "nothing"}`);
  });

/** expected-requests.tsv: the maximum number of EHR requests per tool; "-" for none. */
export function expectedRequests(): Record<string, Record<string, number>> {
  const [head = "", ...rows] = readFileSync(path.join(import.meta.dirname, "expected-requests.tsv"), "utf8")
    .trimEnd()
    .split("\n");
  const [, ...servers] = head.split("\t");
  const cells = rows.map((row) => row.split("\t"));
  const of = (at: number) => cells.flatMap(([tool = "", ...counts]) => (counts[at] === "-" ? [] : [[tool, Number(counts[at])] as const]));
  return Object.fromEntries(servers.map((server, at) => [server, Object.fromEntries(of(at))]));
}

/** More requests than stated, or fewer by more than random conflicts explain. */
export const requestDifferences = (stated: Record<string, Record<string, number>>, counts: Counts): string[] =>
  Object.entries(counts).flatMap(([server, tools]) =>
    [...new Set([...Object.keys(stated[server] ?? {}), ...Object.keys(tools)])]
      .map((tool) => ({ tool, most: stated[server]?.[tool] ?? 0, made: tools[tool]?.requests ?? 0 }))
      .filter(({ most, made }) => made > most || made < most - 2)
      .map(({ tool, most, made }) => `${tool} at ${server}: ${most} requests are stated, ${made} were made`),
  );
