import { readFileSync } from "node:fs";
import path from "node:path";
import type { ScenarioName } from "./scenarios.ts";

export type Outcome = { level: number; tools: string; record: string; revenueEvents: number };

/** Expected outcomes in outcomes.tsv, for a patient with one appointment, on every platform and EHR. */
export const expectedOutcomes: readonly (Outcome & { scenario: ScenarioName })[] = readFileSync(
  path.join(import.meta.dirname, "outcomes.tsv"),
  "utf8",
)
  .trimEnd()
  .split("\n")
  .slice(1)
  .map((line) => {
    const [scenario = "", level, tools = "", record = "", revenueEvents] = line.split("\t");
    return { scenario: scenario as ScenarioName, level: Number(level), tools, record, revenueEvents: Number(revenueEvents) };
  });
