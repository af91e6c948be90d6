import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { type Figures, firstBottleneck, modelOf, shareOf } from "./load-model.ts";

const figures = JSON.parse(readFileSync(path.join(import.meta.dirname, "figures.json"), "utf8")) as Figures;
const at = (calls: number) => modelOf(calls, figures);

test("cost and load grow with calls, and the fixed cost does not", () => {
  for (const calls of [1000, 100_000, 10_000_000]) {
    const [one, ten] = [at(calls), at(calls * 10)];
    expect(ten.month).toBeGreaterThan(one.month);
    for (const [index, load] of ten.loads.entries()) expect([load.name, load.value >= one.loads[index]!.value]).toEqual([load.name, true]);
    expect(ten.costs["Fixed"]).toBe(one.costs["Fixed"]);
  }
});

test("the first bottleneck is the part that is nearest to its limit", () => {
  const model = at(1_000_000);
  expect(model.loads.every((load) => shareOf(load) <= shareOf(firstBottleneck(model)))).toBe(true);
});

test("A13: at a million calls a day no partition has more than half of what it can take", () => {
  const partitions = at(1_000_000).loads.filter(({ unit }) => unit === "units/s");
  expect(partitions.length).toBeGreaterThan(6);
  for (const load of partitions) expect([load.name, shareOf(load) <= 0.5]).toEqual([load.name, true]);
});

test("A13: at a million calls a day reminders and probes keep pace; at a hundred million the model says what must change", () => {
  const scheduled = (calls: number) => at(calls).loads.filter(({ unit }) => unit === "in a run");
  expect(scheduled(1_000_000).map((load) => [load.name, shareOf(load) <= 1])).toEqual([
    ["Reminders due in five minutes", true],
    ["Probes of connections in five minutes", true],
  ]);
  for (const load of scheduled(100_000_000))
    expect([load.name, shareOf(load) > 1, load.change]).toEqual([load.name, true, expect.any(String)]);
});

test("A08: at a million calls a day the firewall lets the largest tenant's requests through, and at a hundred million the model names its limit", () => {
  const ofTenant = (calls: number) => at(calls).loads.find(({ unit }) => unit === "with a key")!;
  expect(shareOf(ofTenant(1_000_000))).toBeLessThan(0.5);
  expect(ofTenant(100_000_000)).toMatchObject({ change: expect.stringContaining("requestsPerKey") });
  expect(shareOf(ofTenant(100_000_000))).toBeGreaterThan(1);
});

test("full batches cost the projection less than single records", () => {
  const { alone, tenantOfEach } = figures;
  expect(at(1000).projectionUnits).toBe(alone.projection.writeUnits);
  expect(at(1000).projectionUnits).toBeGreaterThan(tenantOfEach.projection.writeUnits);
});

test("the command prints the load, the first bottleneck and the cost of so many calls", () => {
  const page = execFileSync(process.execPath, ["--no-warnings", path.join(import.meta.dirname, "cli.ts"), "--calls", "100000000"], {
    encoding: "utf8",
  });
  for (const words of [
    "100,000,000 calls a day",
    "First bottleneck: ",
    "Over their limit:",
    "PLATFORM#FHIR",
    "Cost a month, prices of 2026-",
  ])
    expect(page).toContain(words);
});
