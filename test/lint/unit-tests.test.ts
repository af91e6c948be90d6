import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const starts = /\b(?:startTestAws|startSandboxEhr|startSandboxVoice|openStore|createServer|serveHttp)\(/;

test("unit tests start neither the embedded AWS nor a server; a test that does is named *.service.test.ts", () => {
  const files = globSync("{packages,functions}/**/*.test.ts", { exclude: (name) => name === "node_modules" || name === "local-cloud" });
  const units = files.filter((file) => !/\.(?:service|long)\.test\.ts$/.test(file));
  expect(units.length).toBeGreaterThan(100);
  expect(units.filter((file) => starts.test(readFileSync(file, "utf8")))).toEqual([]);
});
