import * as z from "zod/mini";
import type { RecordMetric } from "./metrics.ts";

const Directive = z.object({
  Namespace: z.string().check(z.minLength(1)),
  Dimensions: z.array(z.array(z.string()).check(z.maxLength(30))).check(z.minLength(1)),
  Metrics: z.array(z.object({ Name: z.string(), Unit: z.optional(z.string()) })).check(z.maxLength(100)),
});
const Line = z.looseObject({ _aws: z.object({ Timestamp: z.int(), CloudWatchMetrics: z.array(Directive) }) });

/**
 * Reads metrics from what functions log; a chunk may end within a line. They count at the platform's clock, since the clocks of functions
 * cannot be moved. Source: "Specification: Embedded metric format" in the Amazon CloudWatch User Guide.
 */
export function readEmbeddedMetrics(record: RecordMetric): (functionName: string, text: string) => void {
  const unfinished = new Map<string, string>();
  return (functionName, text) => {
    const lines = `${unfinished.get(functionName) ?? ""}${text}`.split("\n");
    unfinished.set(functionName, lines.pop() ?? "");
    for (const line of lines) if (line.includes('"_aws"')) readLine(line, record);
  };
}

function readLine(text: string, record: RecordMetric): void {
  const { data: line } = z.safeParse(Line, parsed(text));
  if (!line) return;
  for (const { Namespace: namespace, Dimensions, Metrics } of line._aws.CloudWatchMetrics)
    for (const names of Dimensions) {
      const dimensions = names.flatMap((name) => (typeof line[name] === "string" ? [[name, line[name]] as const] : []));
      // CloudWatch drops a metric whose line lacks a dimension or its value
      if (dimensions.length < names.length) continue;
      for (const { Name: name } of Metrics) {
        const value = line[name];
        for (const one of Array.isArray(value) ? value : [value])
          if (typeof one === "number") record({ namespace, name, dimensions: Object.fromEntries(dimensions), value: one });
      }
    }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
