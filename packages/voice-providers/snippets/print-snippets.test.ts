import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { keyPlaceholder, Snippet } from "@vitaline/contract";
import { expect, test } from "vitest";
import * as z from "zod/mini";

const documentation = path.resolve(import.meta.dirname, "../../../web/src/features/docs/content/snippets.json");
const read = (file: string): Snippet[] => z.parse(z.array(Snippet), JSON.parse(readFileSync(file, "utf8")));

test("the documentation shows what the dashboard shows: run npm run snippets", () => {
  const folder = mkdtempSync(path.join(tmpdir(), "vitaline-snippets-"));
  try {
    const file = path.join(folder, "snippets.json");
    execFileSync(process.execPath, [path.join(import.meta.dirname, "print-snippets.ts"), file]);
    expect(read(documentation)).toEqual(read(file));
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("each voice platform is documented, with placeholders for all that is a tenant's own", () => {
  const shown = read(documentation);
  expect(new Set(shown.map(({ platform }) => platform))).toEqual(new Set(Snippet.shape.platform.options));
  const addresses = shown.flatMap(({ text }) => text.match(/https?:\/\/[^"'\s]+/g) ?? []);
  expect(addresses.length).toBeGreaterThan(5);
  for (const address of addresses) expect(address).toMatch(/^https:\/\/YOUR_ADDRESS\/api\//);
  expect(shown.map(({ text }) => text).join("")).toContain(keyPlaceholder);
});
