import { expect, test } from "vitest";
import { allRoutes, mayCall, permissions, routeKey, UserAccess } from "./index.ts";

const tenantRoutes = allRoutes()
  .filter(({ route }) => route.auth === "tenant_admin")
  .map(({ route }) => routeKey(route));
const listed = permissions.flatMap(({ routes }) => routes);

test("every route of an organization's users has one row that says who may call it", () => {
  expect([...listed].toSorted()).toEqual([...tenantRoutes].toSorted());
});

test("an administrator may call every route, and a user without access is one", () => {
  for (const key of tenantRoutes) for (const access of ["administrator", undefined] as const) expect(mayCall(access, key)).toBe(true);
});

test("a route without a row is refused to staff and auditors", () => {
  for (const access of UserAccess.options) expect(mayCall(access, "GET /api/tenant/not-listed")).toBe(access === "administrator");
});

test.each(["staff", "auditor"] as const)("%s reaches no keys, no team, no record system, and changes no setting", (access) => {
  const closed = /api-key|snippets|webhook|\/team|fhir-provider|voice-provider|\/tools\b|calendar-feed/;
  for (const key of tenantRoutes.filter((one) => closed.test(one))) expect([key, mayCall(access, key)]).toEqual([key, false]);
  for (const key of ["PUT /api/tenant/settings", "PUT /api/tenant/contact-preferences", "POST /api/tenant/offices"])
    expect(mayCall(access, key)).toBe(false);
});

test("an auditor changes nothing, but starts exports and reports and looks for patients", () => {
  const posting = tenantRoutes.filter((key) => !key.startsWith("GET ") && mayCall("auditor", key));
  expect(posting.toSorted()).toEqual([
    "POST /api/tenant/audit/access-reports",
    "POST /api/tenant/audit/export",
    "POST /api/tenant/patients/search",
  ]);
});
