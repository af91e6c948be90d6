import { afterAll, beforeAll, expect, test } from "vitest";
import { openApiTest, type ApiTest } from "../../kit/api-test.ts";
import { shownAt } from "../../kit/authenticator.ts";
import type { Asking, Json } from "../../kit/api.ts";

let api: ApiTest;
beforeAll(async () => void (api = await openApiTest()));
afterAll(() => api.close());

const path = "/api/tenant/team";
const narrowed = async (access: "staff" | "auditor"): Promise<Asking & { id: string }> => {
  const { id, email, password } = await api.it.newUser(api.tenants[0].id, { access });
  return { id, token: await api.it.tokenOf(email, password) };
};
const auditOf = async (search: string): Promise<Json[]> => {
  const { json } = await api.one.ask("GET", `/api/tenant/dashboard/audit-logs?search=${search}&limit=100`);
  return json;
};

test("a narrowed user reads the organization without its key, and a request for the key or for settings is refused and audited", async () => {
  for (const access of ["staff", "auditor"] as const) {
    const { id, ...asking } = await narrowed(access);
    expect((await api.it.api("GET", "/api/auth/me", asking)).json).toMatchObject({ role: "tenant_admin", access });
    expect(await api.it.api("GET", "/api/tenant/info?withKey=false", asking)).toMatchObject({ status: 200, json: { apiKey: null } });
    for (const [method, route] of [
      ["GET", "/api/tenant/info"],
      ["GET", "/api/tenant/snippets?withKey=false"],
      ["PUT", "/api/tenant/settings"],
    ] as const)
      expect(await api.it.api(method, route, { ...asking, ...(method === "PUT" && { body: {} }) })).toMatchObject({
        status: 403,
        json: { code: "forbidden" },
      });
    const refused = (await auditOf("access.refuse")).filter(({ actorId }) => actorId === id);
    expect(refused.map(({ resourceId }) => resourceId)).toContain("PUT /api/tenant/settings");
  }
});

test("no narrowed user widens anyone, themselves included", async () => {
  for (const access of ["staff", "auditor"] as const) {
    const { id, ...asking } = await narrowed(access);
    const body = { access: "administrator" };
    for (const [method, route] of [
      ["PUT", `${path}/${id}`],
      ["PUT", `/api/admin/users/${id}`],
      ["POST", path],
    ] as const)
      expect((await api.it.api(method, route, { ...asking, body })).status).toBe(403);
    expect((await api.it.api("GET", "/api/auth/me", asking)).json).toMatchObject({ access });
  }
});

test("a new access ends the colleague's sessions, and applies at the next sign-in", async () => {
  const { id, email, password } = await api.it.newUser(api.tenants[0].id);
  const token = await api.it.tokenOf(email, password);
  expect((await api.it.api("GET", "/api/tenant/api-keys", { token })).status).toBe(200);
  expect(await api.one.ask("PUT", `${path}/${id}`, { access: "staff" })).toMatchObject({ status: 200, json: { access: "staff" } });
  expect((await api.it.api("GET", "/api/tenant/api-keys", { token })).status).toBe(401);
  const again = await api.it.tokenOf(email, password);
  expect((await api.it.api("GET", "/api/tenant/api-keys", { token: again })).status).toBe(403);
  expect((await api.it.api("GET", "/api/tenant/calls", { token: again })).status).toBe(200);
});

test("a colleague is unlocked, and their second factor reset, by an administrator alone; the reset ends their sessions", async () => {
  const { id, email, password } = await api.it.newUser(api.tenants[0].id);
  const token = await api.it.tokenOf(email, password);
  const { secret } = (await api.it.api("POST", "/api/auth/totp/enroll", { token, body: {} })).json;
  await api.it.api("POST", "/api/auth/totp/confirm", { token, body: { code: shownAt(secret, Date.now()) } });
  for (const access of ["staff", "auditor"] as const) {
    const { token: other } = await narrowed(access);
    for (const act of ["unlock", "reset-totp"])
      expect((await api.it.api("POST", `${path}/${id}/${act}`, { token: other, body: {} })).status).toBe(403);
  }
  expect(await api.one.ask("POST", `${path}/${id}/unlock`)).toMatchObject({ status: 200, json: { id, hasTotp: true } });
  expect(await api.one.ask("POST", `${path}/${id}/reset-totp`, {})).toMatchObject({ status: 200, json: { id, hasTotp: false } });
  expect((await api.it.api("GET", "/api/auth/me", { token })).status).toBe(401);
  for (const act of ["user.unlock", "user.resetTotp"]) expect((await auditOf(act)).map(({ resourceId }) => resourceId)).toContain(id);
});

test("an invitation says whom it is for, signs in with the password that is set, and then is used up", async () => {
  const email = `nora-${Date.now()}@team.example`;
  const invited = await api.one.ask("POST", path, { email, firstName: "Nora", lastName: "New", access: "staff" });
  expect(invited).toMatchObject({ status: 201, json: { email, access: "staff", tenantId: api.tenants[0].id } });
  const outbox = new URL(api.it.demo.outbox);
  outbox.searchParams.set("format", "json");
  const mails = (await (await fetch(outbox)).json()) as { to: string[]; text: string }[];
  const [, token = ""] = /accept-invite\/([\w-]+)/.exec(mails.find(({ to }) => to.includes(email))?.text ?? "") ?? [];
  const ask = () => api.asAnonymous("POST", "/api/auth/invitation", { token });
  const known = { status: 200, json: { email, firstName: "Nora", lastName: "New", organization: api.tenants[0].name } };
  expect(await ask()).toMatchObject(known);
  expect(await ask()).toMatchObject(known);
  const password = "four words that follow";
  expect((await api.asAnonymous("POST", "/api/auth/accept-invite", { token, password })).status).toBe(204);
  expect(await ask()).toMatchObject({ status: 422, json: { code: "not_doable" } });
  expect((await api.asAnonymous("POST", "/api/auth/login", { email, password })).json.user).toMatchObject({ access: "staff" });
});

test("the platform's administrators narrow and widen a tenant's users too", async () => {
  const { id } = await api.it.newUser(api.tenants[1].id);
  expect(await api.root.ask("PUT", `/api/admin/users/${id}`, { access: "auditor" })).toMatchObject({ json: { access: "auditor" } });
  const { json } = await api.root.ask("PUT", `/api/admin/users/${id}`, { access: "administrator" });
  expect(json).not.toHaveProperty("access");
});
