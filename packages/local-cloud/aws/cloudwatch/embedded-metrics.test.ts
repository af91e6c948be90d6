import { expect, test } from "vitest";
import { readEmbeddedMetrics } from "./embedded-metrics.ts";
import type { Datum } from "./metrics.ts";

const line = (change: object = {}, directive: object = {}): string =>
  `${JSON.stringify({
    _aws: {
      Timestamp: 1,
      CloudWatchMetrics: [{ Namespace: "N", Dimensions: [[], ["tool"]], Metrics: [{ Name: "Ms", Unit: "Milliseconds" }], ...directive }],
    },
    tool: "book",
    Ms: 12,
    ...change,
  })}\n`;

function metricsOf(...chunks: string[]): Datum[] {
  const found: Datum[] = [];
  const read = readEmbeddedMetrics((datum) => void found.push(datum));
  for (const chunk of chunks) read("voice", chunk);
  return found;
}

const total: Datum = { namespace: "N", name: "Ms", dimensions: {}, value: 12 };
const ofTool: Datum = { ...total, dimensions: { tool: "book" } };

test("each set of dimensions of a line is a metric", () => {
  expect(metricsOf(line())).toEqual([total, ofTool]);
});

test("a line may come in pieces, between others, and a list of values counts each", () => {
  const [text, at] = [line(), 40];
  expect(metricsOf(`plain text\n${text.slice(0, at)}`, `${text.slice(at)}{"level":"info"}\n`)).toEqual([total, ofTool]);
  expect(metricsOf(line({ Ms: [1, 2] })).map(({ value }) => value)).toEqual([1, 2, 1, 2]);
});

test("a line that CloudWatch would not take gives no metric", () => {
  expect(metricsOf(line({ tool: undefined }))).toEqual([total]);
  expect(metricsOf(line({ Ms: "12" }))).toEqual([]);
  expect(metricsOf(line({}, { Namespace: "" }))).toEqual([]);
  expect(metricsOf('{"_aws": broken\n')).toEqual([]);
});
