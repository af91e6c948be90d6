import type { App } from "aws-cdk-lib";
import { beforeAll, expect, test } from "vitest";
import { stackNames, synthesized, synthesizeVariant, type Synthesized, type Template } from "../test.fixture.ts";

/** What CloudFormation compares in a deployment: templates of before and after. */
type Templates = Synthesized["templates"];

let first: Templates;
/** Other code of `voice` and of the projection. */
let second: Templates;
/** Without the calendar's function and the exports'. */
let fewer: Templates;
beforeAll(() => {
  first = synthesized("production").templates;
  second = synthesizeVariant("production", {}, { changed: ["voice", "events/project"] }).templates;
  const change = (app: App): void => {
    app.node.findChild("vitaline-production-api").node.tryRemoveChild("calendar");
    app.node.findChild("vitaline-production-events").node.tryRemoveChild("events-export");
  };
  fewer = synthesizeVariant("production", {}, { change }).templates;
});

type Changes = { added: string[]; removed: string[]; updated: string[] };

const changesOf = ({ Resources: before }: Template, { Resources: after }: Template): Changes => ({
  added: Object.keys(after).filter((id) => !before[id]),
  removed: Object.keys(before).filter((id) => !after[id]),
  updated: Object.keys(after).filter((id) => before[id] && JSON.stringify(before[id]) !== JSON.stringify(after[id])),
});
const kinds = ({ Resources }: Template, ids: string[]): string[] => ids.map((id) => Resources[id]?.Type ?? "").toSorted();

/** CloudFormation refuses to remove an export while another stack imports it; stacks are deployed one by one, importers last. */
const deadlocks = (before: Templates, after: Templates): string[] => {
  const exportsOf = ({ Outputs = {} }: Template): string[] => Object.keys(Outputs).filter((id) => id.startsWith("ExportsOutput"));
  return stackNames.flatMap((name) =>
    exportsOf(before[name])
      .filter((id) => !exportsOf(after[name]).includes(id))
      .filter((id) => stackNames.some((other) => JSON.stringify(before[other]).includes(`:${id}"`))),
  );
};

test("stacks without other code do not change in a second deployment", () => {
  const untouched = stackNames.filter((name) => name !== "api" && name !== "events");
  for (const name of untouched) expect(changesOf(first[name], second[name])).toEqual({ added: [], removed: [], updated: [] });
});

test("new code of a function is a new version, to which its alias and alarms move; no other function or stack changes", () => {
  for (const [stack, name, alarms] of [
    ["api", "voice", 3],
    ["events", "eventsproject", 1],
  ] as const) {
    const { added, removed, updated } = changesOf(first[stack], second[stack]);
    expect([added, removed, updated].flat().filter((id) => !id.startsWith(name))).toEqual([]);
    expect([kinds(second[stack], added), kinds(first[stack], removed)]).toEqual([["AWS::Lambda::Version"], ["AWS::Lambda::Version"]]);
    expect(kinds(second[stack], updated)).toEqual([
      ...Array.from({ length: alarms }, () => "AWS::CloudWatch::Alarm"),
      "AWS::Lambda::Alias",
      "AWS::Lambda::Function",
    ]);
  }
});

test("a deployment that fails goes back to the former version, and leaves none that would stop the next attempt", () => {
  const [version = ""] = changesOf(first.api, second.api).added;
  const [former = ""] = changesOf(first.api, second.api).removed;
  // Rolled back as created, it is deleted; Lambda refuses to publish the same code as a second version.
  expect(second.api.Resources[version]?.DeletionPolicy).toBe("RetainExceptOnCreate");
  // Replaced by a later release, it stays for a way back.
  expect(first.api.Resources[former]?.DeletionPolicy).toBe("RetainExceptOnCreate");
  const { updated } = changesOf(second.api, first.api);
  const alias = updated.find((id) => first.api.Resources[id]?.Type === "AWS::Lambda::Alias") ?? "";
  expect(first.api.Resources[alias]?.Properties["FunctionVersion"]).toEqual({ "Fn::GetAtt": [former, "Version"] });
});

test("a function can be removed or renamed: no other stack holds on to it", () => {
  const { removed, added } = changesOf(first.api, fewer.api);
  expect(kinds(first.api, removed)).toContain("AWS::Lambda::Function");
  expect([added, removed.filter((id) => !id.startsWith("calendar"))]).toEqual([[], []]);
  expect(changesOf(first.events, fewer.events).removed.length).toBeGreaterThan(5);
  expect(deadlocks(first, fewer)).toEqual([]);
  // The simulation sees a deadlock where there is one.
  const withoutExports = { ...fewer, data: { ...fewer.data, Outputs: {} } };
  expect(deadlocks(first, withoutExports).length).toBeGreaterThan(5);
});

test("a restored table can be opened by a deployment, as step 5 of Restore does: no stack holds on to what the data stack exported", () => {
  const tableStreamArn = "arn:aws:dynamodb:us-east-1:111122223333:table/vitaline-restored/stream/2026-11-20T10:00:00.000";
  const [served, restored] = [{}, { tableName: "vitaline-restored", tableStreamArn }].map(
    (more) => synthesizeVariant("production", more).templates,
  );
  expect(deadlocks(served!, restored!)).toEqual([]);
});

test("a first deployment that failed can be repeated: what it leaves has no name that the next one needs", () => {
  const left = stackNames.flatMap((name) =>
    Object.entries(first[name].Resources).filter(([, { DeletionPolicy }]) => DeletionPolicy === "Retain"),
  );
  const named = left.filter(([, { Properties }]) =>
    Object.entries(Properties).some(([property, value]) => /^(\w*Name|Name)$/.test(property) && typeof value === "string"),
  );
  expect(new Set(left.map(([, { Type }]) => Type))).toEqual(
    new Set(["AWS::KMS::Key", "AWS::DynamoDB::GlobalTable", "AWS::S3::Bucket", "AWS::SecretsManager::Secret"]),
  );
  expect(named.map(([id]) => id)).toEqual([]);
});
