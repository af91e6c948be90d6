import { expect } from "vitest";
import { chosenPassword, ownPassword } from "../platform/platform.fixture.ts";
import type { Login, Site } from "./site.fixture.ts";

/** A tenant that has made no calls, with an administrator: added through the API, as a system administrator does it. */
export async function addTenant(site: Site, name: string): Promise<Login> {
  const token = await site.tokenFor(site.demo.systemAdmin);
  const email = `admin@${name.toLowerCase().replaceAll(" ", "-")}.example`;
  const tenant = await site.api<{ id: string }>("POST", "/api/admin/tenants", { token, body: { name, contactEmail: email } });
  const login = { email, password: "a long enough password" };
  const body = { ...login, firstName: "Nora", lastName: "New", role: "tenant_admin", tenantId: tenant.json.id };
  expect((await site.api("POST", "/api/admin/users", { token, body })).status).toBe(201);
  await chosenPassword(site.api, login);
  return { email, password: ownPassword(login.password) };
}
