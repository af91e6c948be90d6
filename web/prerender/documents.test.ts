import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import paths from "../src/app/paths.json" with { type: "json" };
import { documents } from "./documents.ts";

test("the edge knows exactly the addresses that the router knows, each with its document", () => {
  const sorted = (list: readonly { path: string; file: string }[]) =>
    list.map(({ path, file }) => ({ path, file })).toSorted((one, other) => one.path.localeCompare(other.path));
  expect(sorted(paths)).toEqual(sorted(documents));
});

test("each view is loaded from the file of its name", async () => {
  const files = ["site.tsx", "app-views.tsx"].map((file) => readFile(new URL(`../src/app/${file}`, import.meta.url), "utf8"));
  const source = (await Promise.all(files)).join("\n");
  const loaded = [
    ...source.matchAll(
      /^ {2}"?([\w-]+)"?: (?:lazy\(|preloadable\(|pageOf\("[^"]+", )\(\) => import\("[^"]*\/([\w-]+)-(?:page|panel)\.tsx"\)\)/gm,
    ),
  ];
  expect(loaded.map(([, view]) => view)).toEqual(loaded.map(([, , file]) => file));
  expect(new Set(loaded.map(([, view]) => view))).toEqual(new Set(documents.map(({ view }) => view)));
});
