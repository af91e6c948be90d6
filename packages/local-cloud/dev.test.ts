import { spawn, type ChildProcess } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, expect, test } from "vitest";

const dataDir = mkdtempSync(path.join(tmpdir(), "dev-"));
let child: ChildProcess | undefined;
afterEach(async () => {
  const ended = child && child.exitCode === null && new Promise((resolve) => child?.once("close", resolve));
  child?.kill("SIGTERM");
  await ended;
  rmSync(dataDir, { recursive: true, force: true });
});

test("npm run dev serves pages from their sources, and the API", async () => {
  const started = spawn(process.execPath, [path.join(import.meta.dirname, "dev.ts"), "--empty"], {
    env: { ...process.env, PORT: "0", VITALINE_DATA: dataDir },
  });
  child = started;
  const origin = await new Promise<string>((resolve, reject) => {
    let [printed, complained] = ["", ""];
    started.stdout.on("data", (chunk: Buffer) => {
      printed += chunk.toString();
      const [, address] = /^ready (\S+)$/m.exec(printed) ?? [];
      if (address) resolve(address);
    });
    started.stderr.on("data", (chunk: Buffer) => (complained += chunk.toString()));
    started.once("close", () => reject(new Error(`It ended by itself:\n${complained}`)));
  });
  expect(await (await fetch(`${origin}/`)).text()).toContain("/@vite/client");
  expect((await fetch(`${origin}/api/public/health`)).status).toBe(200);
});
