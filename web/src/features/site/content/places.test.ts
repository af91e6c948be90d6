import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { steps } from "../../docs/content/connect.ts";
import { safeguards } from "./security.ts";

const source = path.resolve(import.meta.dirname, "../../..");
const screens = globSync(["**/*.tsx", "lib/routing/places.ts"], { cwd: source })
  .filter((file) => !/^features.(?:site|docs)\b/.test(file))
  .map((file) => readFileSync(path.join(source, file), "utf8"))
  .join("\n");

const quotedIn = (text: string): string[] => [...text.matchAll(/“([^”]+)”/g)].map(([, name = ""]) => name);

test("every part of the product that the public pages name is on its screens", () => {
  const named = [...safeguards.flatMap(({ items }) => items.map(({ where }) => where)), ...steps.map(({ text }) => text)].flatMap(quotedIn);
  expect(named).toContain("Erasures");
  // In quotes as a property, or as an element's text
  const isOnScreen = (name: string): boolean => screens.includes(`"${name}"`) || new RegExp(`>\\s*${name}\\s*<`).test(screens);
  expect(named.filter((name) => !isOnScreen(name))).toEqual([]);
});
