import { readFileSync } from "node:fs";
import path from "node:path";
import type { ScenarioName } from "./scenarios.ts";

/** What a call has come to: how well the caller was known, what was run, and what there is now that was not before. */
export type Outcome = { level: number; tools: string; record: string; revenueEvents: number };

/** outcomes.tsv: what each scenario comes to for a patient who had one appointment, through whichever platform and at whichever EHR. */
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
