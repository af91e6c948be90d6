import { expect, test } from "vitest";
import { certificateState } from "./health/health-format.ts";
import { matching, scopeCount, typeCounts } from "./provider-format.ts";

test("counts scopes, and providers by type in the types' order", () => {
  expect(["", " ", "patient/*.read", " a/b.read\n c/d.rs  e/f.read "].map(scopeCount)).toEqual([0, 0, 1, 3]);
  const of = (providerType: "custom" | "epic") => ({ providerType });
  expect(typeCounts([of("custom"), of("epic"), of("custom")])).toEqual([
    { name: "Epic", count: 1 },
    { name: "Custom", count: 2 },
  ]);
});

test("finds providers by name, type, address and owner, whatever the case", () => {
  const named = (name: string, ownerTenantName: string | null = null) =>
    ({ name, providerType: "cerner", baseUrl: `https://${name}.example/r4`, ownerTenantName }) as const;
  const all = [named("north"), named("south", "Riverside")];
  expect(["", "NORTH", "oracle", "south.example", " river "].map((text) => matching(all, text).length)).toEqual([2, 1, 2, 1, 1]);
});

test("a certificate is warned of thirty days before it runs out", () => {
  const now = new Date("2026-05-01T12:00:00Z");
  const words = (expiry: string) => certificateState(expiry, now)?.words;
  expect(
    ["2026-05-31T12:00:00Z", "2026-05-31T11:59:00Z", "2026-05-02T12:00:00Z", "2026-05-01T13:00:00Z", "2026-05-01T11:00:00Z"].map(words),
  ).toEqual([undefined, "Expires in 29 days", "Expires in 1 day", "Expires today", "Expired"]);
});
