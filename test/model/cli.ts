import { readFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { assumptions, type Figures, firstBottleneck, type Model, modelOf, shareOf } from "./load-model.ts";
import { measureCalls } from "./measure-calls.ts";
import { pricesOf } from "./prices.ts";

/**
 * `npm run model -- --calls 1000000`: what so many calls a day ask of each part, its limit, and the cost a month. `--measure` first
 * measures the figures of a call again and writes them to figures.json.
 */

const file = new URL("./figures.json", import.meta.url);
const callsAtOnce = 100;

async function measure(): Promise<Figures> {
  const write = process.stdout.write.bind(process.stdout);
  process.stdout.write = () => true;
  try {
    return {
      alone: await measureCalls(),
      atOnce: await measureCalls({ atOnce: callsAtOnce }),
      tenantOfEach: await measureCalls({ atOnce: callsAtOnce, tenantOfEach: true }),
    };
  } finally {
    process.stdout.write = write;
  }
}

const rounded = (value: number): string => value.toLocaleString("en-US", { maximumFractionDigits: value < 10 ? 2 : 0 });
const line = (name: string, ...values: string[]): string => `  ${name.padEnd(46)}${values.map((value) => value.padStart(12)).join("")}`;

function pageOf(calls: number, figures: Figures, model: Model): string {
  const { atOnce, alone } = figures;
  const { name, change } = firstBottleneck(model);
  const over = model.loads.filter((load) => shareOf(load) > 1);
  return [
    `${rounded(calls)} calls a day, ${rounded(model.perSecond)} a second at the peak (${assumptions.peak} times the mean)`,
    "",
    "A call",
    line("Requests", rounded(atOnce.request.invocations)),
    line("Write units of its requests", rounded(atOnce.request.writeUnits)),
    line("Write units of its projection", rounded(model.projectionUnits)),
    line("  when calls fill the batches, at two tenants", rounded(atOnce.projection.writeUnits)),
    line("  when it is alone", rounded(alone.projection.writeUnits)),
    line("Invocations of its projection", rounded(model.projectionInvocations)),
    line("Write units in all", rounded(model.writeUnits)),
    "",
    `Shards of the stream: ${model.shards}; records in a batch: ${rounded(model.recordsOfBatch)}`,
    "",
    line("At the peak", "value", "limit", "percent"),
    ...model.loads.map((load) =>
      line(load.name, rounded(load.value), rounded(load.limit), `${rounded(shareOf(load) * 100)}`).concat(`  ${load.unit}`),
    ),
    "",
    `First bottleneck: ${name}. Then: ${change}.`,
    ...(over.length === 0 ? [] : ["Over their limit:", ...over.map((load) => `  ${load.name}: ${load.change}`)]),
    "",
    line(`Cost a month, prices of ${pricesOf}`, "US dollars"),
    ...Object.entries(model.costs).map(([part, cost]) => line(part, rounded(cost))),
    line("In all", rounded(model.month)),
    "",
    `Assumed: ${Object.entries(assumptions)
      .map(([what, value]) => `${what} ${value}`)
      .join(", ")}. Texts, mail and data transfer are not included.`,
    "",
  ].join("\n");
}

const { values } = parseArgs({ options: { calls: { type: "string", default: "1000000" }, measure: { type: "boolean", default: false } } });
const calls = Number(values.calls);
if (!Number.isFinite(calls) || calls <= 0) throw new Error("--calls is a number of calls a day.");
if (values.measure) writeFileSync(file, `${JSON.stringify(await measure(), undefined, 2)}\n`);
const figures = JSON.parse(readFileSync(file, "utf8")) as Figures;
process.stdout.write(pageOf(calls, figures, modelOf(calls, figures)));
process.exit(0);
