import { expect, test } from "vitest";
import type { Platform } from "../platform.ts";
import { finalBlock } from "./final-block.ts";

const addresses = {
  origin: "http://localhost:1",
  awsUrl: "http://127.0.0.1:2",
  dataDir: "/home/o'neil/data",
  logFile: "/home/o'neil/data/logs/functions.log",
};
const sandbox = {
  origin: "http://127.0.0.1:3",
  r4: { baseUrl: "http://127.0.0.1:3/r4", tokenUrl: "http://127.0.0.1:3/oauth2/token" },
  client: { id: "vitaline-demo", scopes: "system/Slot.rs" },
} as Platform["sandbox"];
const voice = { origin: "http://127.0.0.1:4" } as Platform["voice"];
const empty = { ...addresses, sandbox, voice, demo: undefined };
const filled = {
  ...empty,
  demo: { systemAdmin: { email: "a@b.example", password: "p" }, tenants: [], patients: [], outbox: "http://localhost:1/outbox" },
} as unknown as Platform;

test("names the five addresses, the outbox among them, the data folder and the log", () => {
  for (const block of [finalBlock(empty, false), finalBlock(filled, false)])
    for (const said of [...Object.values(addresses), sandbox.origin, voice.origin, "http://localhost:1/__local/outbox "])
      expect(block).toContain(said);
});

test("of a platform without demo data says how to get an administrator and a registered EHR", () => {
  const block = finalBlock(empty, false);
  expect(block).toContain("npm run admin -- create --email");
  for (const said of [sandbox.r4.baseUrl, sandbox.r4.tokenUrl, "vitaline-demo", "system/Slot.rs"]) expect(block).toContain(said);
});

test("of one with demo data says how to phone it", () => {
  expect(finalBlock(filled, false)).toContain("npm run call -- --platform vapi --scenario book");
});

test("says what a second terminal needs when the data folder was chosen", () => {
  expect(finalBlock(filled, true)).toContain(String.raw`export VITALINE_DATA='/home/o'\''neil/data'`);
  expect(finalBlock(filled, false)).not.toContain("VITALINE_DATA");
});
