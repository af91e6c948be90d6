import { expect, test, vi } from "vitest";
import { holdSecret, isKeyedHash, keyedHash, keyedHashes, keysFor } from "./app-secrets.ts";

test("each purpose has keys of its own, and a purpose of another secret is not derived from the same value", () => {
  holdSecret("tokens", ["one value"]);
  holdSecret("cursors", ["one value"]);
  holdSecret("hashes", ["one value"]);
  const purposes = ["call-token", "mcp-handle", "cursor", "caller-mark", "person"] as const;
  expect(new Set(purposes.map((purpose) => keysFor(purpose)[0].toString("hex"))).size).toBe(purposes.length);
  expect(new Set(purposes.map((purpose) => keyedHash(purpose, ["x"]))).size).toBe(purposes.length);
});

test("the current value makes, and every accepted value proves; a value that is no longer accepted proves nothing", () => {
  holdSecret("tokens", ["first"]);
  const old = keyedHash("call-token", ["claims"]);
  holdSecret("tokens", ["second", "first"]);
  const made = keyedHash("call-token", ["claims"]);
  expect([made === old, keyedHashes("call-token", ["claims"])]).toEqual([false, [made, old]]);
  expect([old, made].map((hash) => isKeyedHash(hash, "call-token", ["claims"]))).toEqual([true, true]);
  holdSecret("tokens", ["second"]);
  expect([old, made].map((hash) => isKeyedHash(hash, "call-token", ["claims"]))).toEqual([false, true]);
});

test("no shorter, longer or empty text is taken for a hash", () => {
  holdSecret("tokens", ["value"]);
  const hash = keyedHash("mcp-handle", ["call"]);
  const short = hash.slice(0, 22);
  for (const presented of ["", hash.slice(0, 42), `${hash}A`, short]) expect(isKeyedHash(presented, "mcp-handle", ["call"])).toBe(false);
  for (const presented of ["", short.slice(1), hash]) expect(isKeyedHash(presented, "mcp-handle", ["call"], 22)).toBe(false);
  expect([isKeyedHash(hash, "mcp-handle", ["call"]), isKeyedHash(short, "mcp-handle", ["call"], 22)]).toEqual([true, true]);
});

test("a secret that was not read is no key", async () => {
  vi.resetModules();
  const { secretValues } = await import("./app-secrets.ts");
  expect(() => secretValues("edge")).toThrow('"edge" was not read');
});
