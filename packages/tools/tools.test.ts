import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { ownToolLevels } from "@vitaline/contract";
import { expect, test } from "vitest";
import { tools } from "./tools.ts";

test("the contract lists each level that a tenant may raise: every tool of level 1 or 2, with its own level", () => {
  const listed: Record<string, number> = ownToolLevels;
  for (const { name, level } of Object.values(tools)) if (level > 0 || name in listed) expect([name, listed[name]]).toEqual([name, level]);
  expect(Object.keys(listed).filter((name) => !(name in tools))).toEqual([]);
});

const layers = [
  "sdk",
  "spoken",
  "spoken/when/draft",
  "spoken/when/spanish",
  "spoken/when/rules",
  "spoken/when/clauses",
  "spoken/when",
  "spoken/who",
  "speech",
  "emergency/signs",
  "emergency",
  "patient",
  "proxy",
  "scheduling",
  "messaging",
  "routing",
  "tool",
  "tools.ts",
  "engine/run",
  "engine/idempotency",
  "engine",
  "index.ts",
];

/** A tool is a folder with its subfolders. */
const toolOf = (file: string): string => file.split("/")[0] ?? "";

const layerOf = (file: string): string => {
  const folder = path.dirname(file);
  if (folder === ".") return file;
  return layers.includes(folder) ? folder : "tool";
};

test("imports go one way between the layers, and no tool imports another", () => {
  const files = readdirSync(import.meta.dirname, { recursive: true, encoding: "utf8" }).filter(
    (file) => file.endsWith(".ts") && !/\.(test|fixture)\.ts$/.test(file),
  );
  const wrong = files.flatMap((file) =>
    [...readFileSync(path.join(import.meta.dirname, file), "utf8").matchAll(/from "(\.[^"]+)"/g)]
      .map(([, specifier = ""]) => path.join(path.dirname(file), specifier))
      .filter((imported) => {
        const [from, to] = [layerOf(file), layerOf(imported)];
        return from === "tool" && to === "tool" ? toolOf(file) !== toolOf(imported) : layers.indexOf(to) > layers.indexOf(from);
      })
      .map((imported) => `${file} imports ${imported}`),
  );
  expect(wrong).toEqual([]);
});
