import fc from "fast-check";
import { expect, test } from "vitest";
import { pages } from "../routing/pages.ts";
import { homeOf } from "./areas.ts";
import { destinationAfterLogin } from "./admission.ts";

test("signing in leads back to the address that was asked for", () => {
  expect(destinationAfterLogin("/tenant?tab=overview#calls", "tenant_admin")).toBe("/tenant?tab=overview#calls");
  expect(destinationAfterLogin("/admin-dashboard", "system_admin")).toBe("/admin-dashboard");
  for (const role of ["tenant_admin", "system_admin"]) expect(destinationAfterLogin("/account", role)).toBe("/account");
});

test.each([
  "/admin",
  "/tenants",
  "//evil.example/tenant",
  "https://evil.example/tenant",
  "/tenant/../admin",
  "javascript:alert(1)",
  "\\\\evil.example",
  "",
  undefined,
  7,
])("%j leads a tenant admin home", (from) => {
  expect(destinationAfterLogin(from, "tenant_admin")).toBe("/tenant");
});

test("a role that this site does not know goes to the landing page", () => {
  expect(homeOf("auditor")).toBe("/");
  expect(destinationAfterLogin("/tenant", "auditor")).toBe("/");
  expect(homeOf("constructor")).toBe("/");
});

test("no address leads out of the role's own area", () => {
  const role = fc.constantFrom("tenant_admin" as const, "system_admin" as const);
  const address = fc.oneof(
    fc.string(),
    fc.webUrl(),
    fc.webPath(),
    fc.webPath().map((path) => `/tenant/..${path}`),
    fc.string().map((text) => `/admin${text}`),
  );
  fc.assert(
    fc.property(role, address, (name, from) => {
      const url = new URL(destinationAfterLogin(from, name), "https://site.example");
      expect(url.origin).toBe("https://site.example");
      expect(pages[name].some(({ path }) => url.pathname === path || url.pathname.startsWith(`${path}/`))).toBe(true);
    }),
  );
});
