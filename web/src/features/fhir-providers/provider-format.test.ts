import { expect, test } from "vitest";
import { authMethodName, filterProviders, scopeCount, typeCounts, versionName } from "./provider-format.ts";

test("counts scopes, and counts providers by type in display order", () => {
  expect(["", " ", "patient/*.read", " a/b.read\n c/d.rs  e/f.read "].map(scopeCount)).toEqual([0, 0, 1, 3]);
  const of = (providerType: "custom" | "epic") => ({ providerType });
  expect(typeCounts([of("custom"), of("epic"), of("custom")])).toEqual([
    { name: "Epic", count: 1 },
    { name: "Custom", count: 2 },
  ]);
});

test("finds providers by name, type, address and owner, ignoring case", () => {
  const named = (name: string, ownerTenantName: string | null = null) =>
    ({ name, providerType: "cerner", baseUrl: `https://${name}.example/r4`, ownerTenantName }) as const;
  const all = [named("north"), named("south", "Riverside")];
  expect(["", "NORTH", "oracle", "south.example", " river "].map((text) => filterProviders(all, text).length)).toEqual([2, 1, 2, 1, 1]);
});

test("only oauth2 is shown as OAuth 2.0, and a missing version as R4", () => {
  expect([authMethodName("oauth2"), authMethodName("certificate"), versionName(""), versionName(undefined), versionName("STU3")]).toEqual([
    "OAuth 2.0",
    "Certificate",
    "R4",
    "R4",
    "STU3",
  ]);
});
