import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { shownAt } from "../../kit/authenticator.ts";
import { chosenPassword, ownPassword } from "../../kit/api.ts";
import { sharedPlatform, type TestPlatform } from "../../kit/platform.ts";
import { adminCommand } from "../../kit/tenant.ts";

let it: TestPlatform;
let root: string;
let tenantIds: [string, string];
let managers: [string, string];

beforeAll(async () => {
  it = await sharedPlatform({ voices: true, calls: true });
  const { systemAdmin, tenants } = it.demo;
  const [one, two] = tenants;
  if (!one || !two) throw new Error("These tests need two tenants");
  tenantIds = [one.id, two.id];
  root = await it.tokenOf(systemAdmin.email, systemAdmin.password);
  managers = [await it.tokenOf(one.admin.email, one.admin.password), await it.tokenOf(two.admin.email, two.admin.password)];
});
afterAll(() => it?.close());

type Way = { password: string } | { invite: true };
const password = "correct horse battery staple";
const names = { firstName: "Ada", lastName: "Byron" };
const create = async (way: Way = { password }, tenantId: string | undefined = tenantIds[0]) => {
  const email = `user-${randomUUID()}@accounts.example`;
  const body = { email, ...names, ...way, role: "tenant_admin", tenantId };
  const made = await it.api("POST", "/api/admin/users", { token: root, body });
  expect(made).toMatchObject({ status: 201, json: { email, version: 1 } });
  return { email, id: made.json.id as string };
};
const asRoot = (method: string, path: string, body?: object) => it.api(method, path, { token: root, ...(body && { body }) });
const signIn = (email: string, secret: string, totpCode?: string) =>
  it.api("POST", "/api/auth/login", { body: { email, password: secret, ...(totpCode ? { totpCode } : {}) } });
const me = async (token: string): Promise<number> => (await it.api("GET", "/api/auth/me", { token })).status;

const linkTo = async (email: string): Promise<{ kind: string; token: string }> => {
  const url = new URL(it.demo.outbox);
  const mails = (await (await fetch(`${url.origin}${url.pathname}.json`)).json()) as { to: string[]; text: string }[];
  const text = mails.find(({ to }) => to.includes(email))?.text ?? "";
  const [, origin, kind = "", token = ""] = /(http\S+?)\/(reset-password|accept-invite)\/([\w-]+)/.exec(text) ?? [];
  expect(origin).toBe(it.origin);
  return { kind, token };
};

describe("a first password", () => {
  test("G52 opens nothing but the way to change it, on every function", async () => {
    const { email } = await create();
    const answer = await signIn(email, password);
    expect(answer).toMatchObject({ status: 200, json: { mustChangePassword: true, pending: "password_change", user: { email } } });
    const { token } = answer.json;
    for (const [method, path] of [
      ["GET", "/api/auth/me"],
      ["GET", "/api/auth/sessions"],
      ["POST", "/api/auth/totp/enroll"],
      ["GET", "/api/tenant/info"],
      ["GET", "/api/tenant/dashboard/metrics"],
      ["POST", "/api/tenant/regenerate-api-key"],
      ["GET", "/api/admin/users"],
    ] as const)
      expect(await it.api(method, path, { token }), path).toMatchObject({ status: 403, json: { code: "password_change_required" } });
    const own = await chosenPassword(it.api, { email, password });
    expect(await me(own)).toBe(200);
    expect(await me(token)).toBe(401);
    expect((await it.api("GET", "/api/tenant/info", { token: own })).status).toBe(200);
    const left = (await signIn(email, ownPassword(password))).json.token as string;
    expect((await it.api("POST", "/api/auth/logout", { token: left })).status).toBe(204);
  });

  test("D2.7-003 of a user who was created is never in an answer, and an administrator may set another", async () => {
    const { email, id } = await create();
    const token = await chosenPassword(it.api, { email, password });
    const answer = await asRoot("POST", `/api/admin/users/${id}/reset-password`, { password: "a password by an admin" });
    expect(answer).toMatchObject({ status: 200, json: { id, mustChangePassword: true } });
    expect(answer.text).not.toMatch(/argon2|password by/);
    expect(await me(token)).toBe(401);
    expect(await signIn(email, "a password by an admin")).toMatchObject({ json: { pending: "password_change" } });
  });
});

describe("a mailed link", () => {
  test("G11 of an invitation lets its user choose a password and sign in, once", async () => {
    const { email, id } = await create({ invite: true });
    expect((await signIn(email, password)).status).toBe(401);
    const { kind, token } = await linkTo(email);
    expect(kind).toBe("accept-invite");
    expect((await it.api("POST", "/api/auth/reset-password", { body: { token, password } })).status).toBe(422);
    expect((await it.api("POST", "/api/auth/accept-invite", { body: { token, password } })).status).toBe(204);
    expect(await it.api("POST", "/api/auth/accept-invite", { body: { token, password } })).toMatchObject({
      status: 422,
      json: { code: "not_doable" },
    });
    expect(await signIn(email, password)).toMatchObject({ status: 200, json: { mustChangePassword: false, pending: null } });
    expect(await asRoot("POST", `/api/admin/users/${id}/resend-invite`)).toMatchObject({ status: 422 });
  });

  test("G11 of a forgotten password works for the address's owner, and the answer does not show whether an account exists", async () => {
    const { email } = await create();
    const session = await chosenPassword(it.api, { email, password });
    const answers = await Promise.all(
      [email, "unknown@nowhere.example"].map((address) => it.api("POST", "/api/auth/forgot-password", { body: { email: address } })),
    );
    expect(answers.map(({ status, text }) => [status, text])).toEqual([
      [204, ""],
      [204, ""],
    ]);
    const { kind, token } = await linkTo(email);
    expect(kind).toBe("reset-password");
    const body = { token, password: "a sentence to remember" };
    expect((await it.api("POST", "/api/auth/reset-password", { body })).status).toBe(204);
    expect((await it.api("POST", "/api/auth/reset-password", { body })).status).toBe(422);
    expect(await me(session)).toBe(401);
    expect((await signIn(email, "a sentence to remember")).status).toBe(200);
    expect(it.logText()).not.toContain(token);
  });
});

describe("the command for administrators", () => {
  const run = (args: string[], input: string) => adminCommand(it.dataDir, args, input);

  test("creates an administrator who need not change the password, and resets a lost one", async () => {
    const email = `root-${randomUUID()}@accounts.example`;
    expect(await run(["create", "--email", email], password)).toBe(0);
    expect(await signIn(email, password)).toMatchObject({ status: 200, json: { mustChangePassword: false, pending: null } });
    expect(await run(["reset-password", "--email", email, "--remove-totp"], "found again at last")).toBe(0);
    expect((await signIn(email, password)).status).toBe(401);
    expect(await signIn(email, "found again at last")).toMatchObject({ status: 200, json: { mustChangePassword: false } });
    expect(await run(["reset-password", "--email", "unknown@nowhere.example"], password)).toBe(1);
  });
});

describe("one's own sessions", () => {
  test("are listed and ended by their owner alone", async () => {
    const [{ email }, stranger] = [await create(), managers[1]];
    const here = await chosenPassword(it.api, { email, password });
    const there = (await it
      .api("POST", "/api/auth/login", {
        body: { email, password: ownPassword(password) },
        headers: { "user-agent": "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0" },
      })
      .then(({ json }) => json.token)) as string;
    const listed = await it.api<{ id: string; current: boolean; userAgent: string | null }[]>("GET", "/api/auth/sessions", { token: here });
    expect(listed.json).toMatchObject([{ current: false, userAgent: "Firefox on Linux" }, { current: true }]);
    const path = `/api/auth/sessions/${listed.json[0]?.id}`;
    expect((await it.api("DELETE", path, { token: stranger })).status).toBe(404);
    expect(await me(there)).toBe(200);
    expect((await it.api("DELETE", path, { token: here })).status).toBe(204);
    expect([await me(there), await me(here)]).toEqual([401, 200]);
    expect((await it.api("POST", "/api/auth/logout-everywhere", { token: here })).status).toBe(204);
    expect(await me(here)).toBe(401);
  });
});

describe("the second factor", () => {
  test("is set up, required, replaced by a recovery code, and turned off", async () => {
    const { email } = await create({ password }, tenantIds[1]);
    const token = await chosenPassword(it.api, { email, password });
    const secretPassword = ownPassword(password);
    const { json: enrolment } = await it.api("POST", "/api/auth/totp/enroll", { token });
    const confirmed = await it.api("POST", "/api/auth/totp/confirm", { token, body: { code: shownAt(enrolment.secret, Date.now()) } });
    expect(confirmed.status).toBe(200);
    expect(confirmed.json.recoveryCodes).toHaveLength(10);
    expect(await signIn(email, secretPassword)).toMatchObject({ status: 401, json: { code: "totp_required" } });
    expect(await signIn(email, secretPassword, "not a code")).toMatchObject({ status: 401, json: { code: "invalid_credentials" } });
    expect(await signIn(email, secretPassword, confirmed.json.recoveryCodes[0])).toMatchObject({
      status: 200,
      json: { user: { hasTotp: true } },
    });
    const removed = await it.api("DELETE", "/api/auth/totp", { token, body: { code: confirmed.json.recoveryCodes[1] } });
    expect(removed.status).toBe(204);
    expect((await signIn(email, secretPassword)).status).toBe(200);
    expect(it.logText()).not.toContain(enrolment.secret);
  });

  test("where a tenant requires it, every other request is refused until it is set up", async () => {
    const [one, two] = tenantIds;
    const { email } = await create({ password }, two);
    const token = await chosenPassword(it.api, { email, password });
    const { json: tenant } = await asRoot("GET", `/api/admin/tenants/${two}`);
    const require = async (requireTotp: boolean) => {
      const { name, contactEmail, organizationType, isActive } = tenant;
      const body = { name, contactEmail, organizationType, isActive, policies: { requireTotp } };
      expect((await asRoot("PUT", `/api/admin/tenants/${two}`, body)).status).toBe(200);
    };
    await require(true);
    for (const path of ["/api/auth/me", "/api/auth/sessions", "/api/tenant/info", "/api/tenant/dashboard/metrics"])
      expect(await it.api("GET", path, { token }), path).toMatchObject({ status: 403, json: { code: "totp_enrolment_required" } });
    expect(await it.api("POST", "/api/auth/change-password", { token, body: {} })).toMatchObject({ status: 403 });
    expect((await it.api("GET", "/api/tenant/info", { token: managers[0] })).json.tenantId).toBe(one);
    expect(await signIn(email, ownPassword(password))).toMatchObject({ json: { pending: "totp_enrolment" } });
    const { json: enrolment } = await it.api("POST", "/api/auth/totp/enroll", { token });
    const code = shownAt(enrolment.secret, Date.now());
    expect((await it.api("POST", "/api/auth/totp/confirm", { token, body: { code } })).status).toBe(200);
    expect((await it.api("GET", "/api/tenant/info", { token })).status).toBe(200);
    await require(false);
  });
});

describe("the administration of users", () => {
  test("D2.7-002 lists them with tenant, status and last sign-in, by pages", async () => {
    const listed = await asRoot("GET", "/api/admin/users?limit=2");
    expect(listed.json).toHaveLength(2);
    const [, next = ""] = /<([^>]+)>; rel="next"/.exec(listed.headers.get("link") ?? "") ?? [];
    expect((await asRoot("GET", next)).json.length).toBeGreaterThan(0);
    expect((await asRoot("GET", "/api/admin/users?limit=201")).status).toBe(400);
    const all = await asRoot("GET", "/api/admin/users");
    expect(all.json).toContainEqual(
      expect.objectContaining({ email: it.demo.tenants[0]?.admin.email, tenantName: it.demo.tenants[0]?.name, isActive: true, version: 1 }),
    );
    expect((await it.api("GET", "/api/admin/users", { token: managers[0] })).status).toBe(403);
  });

  test("G51 changes a user, and refuses who has seen an older one", async () => {
    const { id } = await create();
    const path = `/api/admin/users/${id}`;
    const put = (body: object, version?: string) =>
      it.api("PUT", path, { token: root, body: { ...names, ...body }, ...(version ? { headers: { "if-match": version } } : {}) });
    const changed = await put({ firstName: "Augusta" }, '"1"');
    expect(changed).toMatchObject({ status: 200, json: { firstName: "Augusta", version: 2 } });
    expect(changed.headers.get("etag")).toBe('"2"');
    expect(await put({}, '"1"')).toMatchObject({ status: 409, json: { code: "stale_version" } });
    expect(await put({ tenantId: "0".repeat(26) })).toMatchObject({
      status: 400,
      json: { fields: { tenantId: expect.any(String) as string } },
    });
    expect(await put({ role: "system_admin" })).toMatchObject({ status: 200, json: { role: "system_admin", tenantId: null } });
    expect(await put({ email: it.demo.systemAdmin.email })).toMatchObject({
      status: 409,
      json: { code: "duplicate", fields: { email: "A user with this email already exists" } },
    });
    expect(await put({ role: "tenant_admin", tenantId: tenantIds[1] })).toMatchObject({ status: 200, json: { tenantId: tenantIds[1] } });
  });

  test("G51 deactivates from the next request on, and reactivates", async () => {
    const { email, id } = await create();
    const token = await chosenPassword(it.api, { email, password });
    expect(await me(token)).toBe(200);
    expect(await asRoot("POST", `/api/admin/users/${id}/deactivate`)).toMatchObject({ status: 200, json: { isActive: false } });
    expect(await me(token)).toBe(401);
    expect((await signIn(email, ownPassword(password))).status).toBe(401);
    expect(await asRoot("POST", `/api/admin/users/${id}/reactivate`)).toMatchObject({ status: 200, json: { isActive: true } });
    expect((await signIn(email, ownPassword(password))).status).toBe(200);
    expect(await me(token)).toBe(401);
    expect((await asRoot("POST", `/api/admin/users/${id}/unlock`)).status).toBe(200);
    expect((await asRoot("POST", `/api/admin/users/${"0".repeat(26)}/unlock`)).status).toBe(404);
  });

  test("shows until when a user is locked out, and unlocks them", async () => {
    const [guessed, calm] = [await create(), await create()];
    const failOften = async () => {
      for (let i = 0; i < 30; i++) if ((await signIn(guessed.email, "not this one at all")).status === 429) return;
    };
    type Listed = { id: string; lockedUntil: string | null };
    const lockOf = async (id: string) =>
      (await asRoot("GET", "/api/admin/users")).json.find((user: Listed) => user.id === id).lockedUntil as string | null;
    await failOften();
    // The failures expire at the end of a quarter of an hour, which may pass here
    if ((await lockOf(guessed.id)) === null) await failOften();
    expect(Date.parse((await lockOf(guessed.id)) ?? "")).toBeGreaterThan(Date.now() - 1000);
    expect(await lockOf(calm.id)).toBeNull();
    expect((await asRoot("POST", `/api/admin/users/${guessed.id}/unlock`)).json.lockedUntil).toBeNull();
    expect(await lockOf(guessed.id)).toBeNull();
    expect((await signIn(guessed.email, password)).status).toBe(200);
  });

  test("G51 leaves the last administrator and oneself alone", async () => {
    const { json: own } = await it.api("GET", "/api/auth/me", { token: root });
    for (const path of ["deactivate", "reset-password"])
      expect(await asRoot("POST", `/api/admin/users/${own.id}/${path}`, path === "deactivate" ? undefined : {})).toMatchObject({
        status: 422,
        json: { code: "not_doable" },
      });
    expect(await me(root)).toBe(200);
  });

  test("D2.5-001 D2.5-002 D2.8 names the missing fields", async () => {
    const refused = async (body: object, message: string) =>
      expect(await asRoot("POST", "/api/admin/users", { ...names, ...body })).toMatchObject({ status: 400, json: { error: message } });
    await refused({ role: "system_admin", email: "a@b.example" }, "Email and password are required");
    await refused({ role: "system_admin", password }, "Email and password are required");
    await refused({ role: "tenant_admin", email: "a@b.example", password }, "Please select a tenant for tenant admin users");
  });
});

describe("who views as a tenant", () => {
  test("sees only its console, changes nothing, and gets no key", async () => {
    const [one, two] = tenantIds;
    const started = await asRoot("POST", `/api/admin/tenants/${one}/view-as`);
    expect(started).toMatchObject({ status: 201, json: { token: expect.any(String) as string, expiresAt: expect.any(String) as string } });
    expect(started.headers.get("cache-control")).toBe("no-store");
    const token = started.json.token as string;
    const shown = await it.api("GET", "/api/auth/me", { token });
    expect(shown.json).toMatchObject({ role: "tenant_admin", tenantId: one, viewAs: { tenantId: one }, email: it.demo.systemAdmin.email });
    const metrics = await it.api("GET", "/api/tenant/dashboard/metrics", { token });
    expect(metrics).toMatchObject({
      status: 200,
      json: (await it.api("GET", "/api/tenant/dashboard/metrics", { token: managers[0] })).json,
    });
    expect((await it.api("GET", "/api/admin/users", { token })).status).toBe(403);
    const info = await it.api("GET", "/api/tenant/info", { token });
    expect(info.status).toBe(403);
    expect(info.text).not.toContain(it.demo.tenants[0]?.apiKey);
    for (const [method, path] of [
      ["POST", "/api/tenant/regenerate-api-key"],
      ["POST", "/api/auth/change-password"],
      ["POST", "/api/auth/logout-everywhere"],
      ["POST", "/api/auth/totp/enroll"],
      ["POST", `/api/admin/tenants/${two}/view-as`],
    ] as const)
      expect(await it.api(method, path, { token, body: {} }), path).toMatchObject({ status: 403, json: { code: "read_only" } });
    expect((await it.api("POST", "/api/auth/logout", { token })).status).toBe(204);
    expect([await me(token), await me(root)]).toEqual([401, 200]);
    expect((await asRoot("POST", `/api/admin/tenants/${"0".repeat(26)}/view-as`)).status).toBe(404);
    expect((await it.api("POST", `/api/admin/tenants/${two}/view-as`, { token: managers[0] })).status).toBe(403);
  });

  test("leaves every tenant with their own sign-out, and another administrator's views continue", async () => {
    const other = { email: `second-${Date.now()}@platform.example`, password: "two people look at once" };
    const made = await asRoot("POST", "/api/admin/users", { ...other, firstName: "Ida", lastName: "Rhodes", role: "system_admin" });
    const hers = await chosenPassword(it.api, other);
    const views = (token: string) =>
      Promise.all(tenantIds.map(async (id) => (await it.api("POST", `/api/admin/tenants/${id}/view-as`, { token })).json.token as string));
    const mine = await it.tokenOf(it.demo.systemAdmin.email, it.demo.systemAdmin.password);
    const [ofMine, ofHers] = [await views(mine), await views(hers)];
    const alive = async () => Promise.all([...ofMine, ...ofHers].map((token) => me(token)));
    expect(await alive()).toEqual([200, 200, 200, 200]);
    expect((await it.api("POST", "/api/auth/logout", { token: mine })).status).toBe(204);
    expect(await alive()).toEqual([401, 401, 200, 200]);
    expect((await it.api("GET", "/api/tenant/dashboard/metrics", { token: ofMine[0] })).json.code).toBe("session_expired");
    expect(await me(root)).toBe(200);
    expect((await asRoot("POST", `/api/admin/users/${made.json.id}/deactivate`)).status).toBe(200);
    expect(await alive()).toEqual([401, 401, 401, 401]);
  });
});
