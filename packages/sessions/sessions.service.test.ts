import { createHash } from "node:crypto";
import type { NewUser } from "@vitaline/contract";
import { keys, update } from "@vitaline/store";
import { platformStore, type PlatformContext } from "@vitaline/store/platform.ts";
import { createTenant } from "@vitaline/tenants";
import { createUser } from "@vitaline/users";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { startTestAws, type TestAws } from "../../test/kit/aws.ts";
import { checkSession, endSession, login, type SignedInContext } from "./index.ts";

let it: TestAws;
let tenantIds: string[];
const password = "correct horse battery staple";
const emails = ["admin@one.example", "admin@two.example"] as const;
const root = "root@platform.example";

const caller = ({ inSeconds = 0, address = "203.0.113.7" } = {}): PlatformContext => {
  const ctx = {
    ...it.platform({ kind: "nobody", id: "anonymous" }),
    clientAddress: address,
    clock: () => new Date(Date.now() + inSeconds * 1000),
  };
  return { ...ctx, platform: platformStore(ctx) };
};
const signedIn = async (token: string, from: Parameters<typeof caller>[0] = {}): Promise<SignedInContext> => {
  const ctx = caller(from);
  const session = await checkSession(ctx, token, true);
  return { ...ctx, actor: session.actor, platform: ctx.platform.as(session.actor), session };
};
const person = (email: string, tenantId?: string): NewUser =>
  tenantId
    ? { role: "tenant_admin", tenantId, email, password, firstName: "A", lastName: "B" }
    : { role: "system_admin", email, password, firstName: "A", lastName: "B" };

beforeAll(async () => {
  it = await startTestAws();
  const tenants = await Promise.all(
    ["One", "Two"].map((name) => createTenant(it.platform(), { name, organizationType: "clinic", contactEmail: "x@y.example" })),
  );
  tenantIds = tenants.map(({ id }) => id);
  await Promise.all([
    createUser(it.platform(), person(emails[0], tenantIds[0])),
    createUser(it.platform(), person(emails[1], tenantIds[1])),
    createUser(it.platform(), person(root)),
  ]);
});
afterAll(() => it.close());
beforeEach(() => it.fault());

test("a sign-in returns a token for its user and, if any, tenant", async () => {
  for (const [index, email] of emails.entries()) {
    const { token, user } = await login(caller(), { email, password });
    expect(user).toMatchObject({ email, role: "tenant_admin", tenantId: tenantIds[index] });
    const session = await checkSession(caller(), token, true);
    expect(session.user).toMatchObject({ email, lastLogin: user.lastLogin });
    expect(session.tenant?.id).toBe(tenantIds[index]);
  }
});

test("a sign-in costs at most ten write units in three round trips, a check one trip and no write", async () => {
  await login(caller(), { email: emails[0], password });
  it.resetUsage();
  const { token } = await login(caller(), { email: emails[0], password });
  const spent = it.usage();
  expect(spent.reduce((sum, { writeUnits }) => sum + writeUnits, 0)).toBe(10);
  // Four in parallel, then one read, then one transaction.
  expect(spent.map(({ operation }) => operation).sort()).toEqual([
    "BatchGetItem",
    "GetItem",
    "GetItem",
    "TransactWriteItems",
    "UpdateItem",
    "UpdateItem",
  ]);
  it.resetUsage();
  await checkSession(caller(), token, true);
  expect(it.usage().map(({ operation, readUnits, writeUnits }) => ({ operation, readUnits, writeUnits }))).toEqual([
    { operation: "BatchGetItem", readUnits: 3, writeUnits: 0 },
  ]);
});

test("an unknown address, a wrong password and an inactive user get one and the same refusal", async () => {
  const inactive = await createUser(it.platform(), person("gone@one.example", tenantIds[0]));
  await it.platform().platform.commit([update(keys.user(inactive.id), { set: { isActive: false } })], {
    category: "configuration_change",
    action: "test",
    resourceType: "User",
  });
  const refusals = await Promise.all(
    [
      { email: "nobody@one.example", password },
      { email: emails[0], password: "wrong horse battery staple" },
      { email: "gone@one.example", password },
    ].map((credentials, index) =>
      login(caller({ address: `198.51.100.${index}` }), credentials).catch((error: Error) => ({
        ...error,
        message: error.message,
        cause: undefined,
      })),
    ),
  );
  expect(new Set(refusals.map((refusal) => JSON.stringify(refusal))).size).toBe(1);
  expect(refusals[0]).toMatchObject({ code: "invalid_credentials" });
});

test("a refused sign-in is audited in the log of the account's tenant", async () => {
  await expect(login(caller(), { email: emails[1], password: "wrong horse battery staple" })).rejects.toThrow();
  const month = new Date().toISOString().slice(0, 7);
  const { rows } = await it
    .inTenant(tenantIds[1] ?? "")
    .store.query<{ action: string; success: boolean; actorId: string }>(
      keys.tenantPartitions.audit(tenantIds[1] ?? "", month, "configuration_change"),
      { descending: true, limit: 1 },
    );
  expect(rows).toMatchObject([{ action: "session.login", success: false, actorId: "anonymous" }]);
});

test("a token ends with sign-out, after fifteen idle minutes, and after twelve hours", async () => {
  const fresh = async () => (await login(caller(), { email: root, password })).token;
  const out = await fresh();
  const ctx = await signedIn(out);
  await endSession(ctx, ctx.session.sid);
  await expect(checkSession(caller(), out, true)).rejects.toMatchObject({ code: "session_expired" });

  const idle = await fresh();
  await checkSession(caller({ inSeconds: 899 }), idle, false);
  await expect(checkSession(caller({ inSeconds: 901 }), idle, false)).rejects.toMatchObject({ code: "session_expired" });

  const used = await fresh();
  for (let minute = 14; minute < 12 * 60; minute += 14) await checkSession(caller({ inSeconds: minute * 60 }), used, true);
  await expect(checkSession(caller({ inSeconds: 12 * 3600 + 1 }), used, true)).rejects.toMatchObject({ code: "session_expired" });
});

test("a screen that polls does not keep a session alive", async () => {
  const { token } = await login(caller(), { email: root, password });
  await checkSession(caller({ inSeconds: 600 }), token, false);
  await expect(checkSession(caller({ inSeconds: 1000 }), token, true)).rejects.toMatchObject({ code: "session_expired" });
});

test("deactivating a user or raising an epoch ends their sessions on the next request", async () => {
  for (const set of [{ isActive: false }, { epoch: 1 }]) {
    const { id, email } = await createUser(it.platform(), person(`u${JSON.stringify(set).length}@two.example`, tenantIds[1]));
    const { token } = await login(caller(), { email, password });
    await checkSession(caller(), token, true);
    await it
      .platform()
      .platform.commit([update(keys.user(id), { set })], { category: "configuration_change", action: "test", resourceType: "User" });
    await expect(checkSession(caller(), token, true)).rejects.toMatchObject({ code: "session_expired" });
  }
});

const partsOf = (token: string): [string, string, string] => token.split(".") as [string, string, string];
const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString("base64url");

test("an altered, unsigned or forged token is refused", async () => {
  const { token } = await login(caller(), { email: emails[0], password });
  const other = (await login(caller(), { email: emails[1], password })).token;
  const [header, payload, signature] = partsOf(token);
  const claims = JSON.parse(Buffer.from(payload, "base64url").toString()) as Record<string, unknown>;
  const forged = [
    "",
    "x",
    `${header}.${payload}.`,
    `${encode({ alg: "none" })}.${payload}.`,
    `${encode({ alg: "HS256", typ: "JWT" })}.${payload}.${createHash("sha256").update(payload).digest("base64url")}`,
    `${header}.${partsOf(other)[1]}.${signature}`,
    `${header}.${encode({ ...claims, exp: Number(claims["exp"]) + 9999 })}.${signature}`,
    `${header}.${encode({ ...claims, tid: tenantIds[1] })}.${signature}`,
  ];
  for (const wrong of forged)
    await expect(checkSession(caller(), wrong, true), wrong.slice(0, 40)).rejects.toMatchObject({
      code: expect.stringMatching(/^(unauthenticated|session_expired)$/) as string,
    });
});

/** The start of a window, so that no attempt becomes free during the test. */
const windowStart = () => Math.ceil(Date.now() / 900_000) * 900 - Date.now() / 1000 + 900;

test("guessing is slowed down per source address without affecting others; a success resets it", async () => {
  const email = "slow@one.example";
  await createUser(it.platform(), person(email, tenantIds[0]));
  const start = windowStart();
  const guess = (inSeconds: number, secret: string, address = "192.0.2.1") =>
    login(caller({ inSeconds: start + inSeconds, address }), { email, password: secret }).catch((error: { code: string }) => error.code);
  for (let i = 0; i < 10; i++) expect(await guess(0.001, "wrong horse battery staple")).toBe("invalid_credentials");
  expect(await guess(0.001, password)).toBe("too_many_requests");
  expect(await guess(0.001, password, "192.0.2.2")).toMatchObject({ user: { email } });
  expect(await guess(16, password)).toMatchObject({ user: { email } });
  for (let i = 0; i < 5; i++) expect(await guess(17, "wrong horse battery staple")).toBe("invalid_credentials");
});

test("guessing from many addresses is stopped by the account's limit", async () => {
  const email = "many@one.example";
  await createUser(it.platform(), person(email, tenantIds[0]));
  const start = windowStart();
  const ctx = caller({ inSeconds: start + 0.001, address: "192.0.2.3" });
  const window = String(Math.floor(ctx.clock().getTime() / 900_000) * 900);
  await ctx.platform.writeUnaudited(
    update(keys.throttle("account", email, window), { set: { count: 100, expiresAt: Math.floor(Date.now() / 1000) + 9999 } }),
  );
  await expect(login(ctx, { email, password })).rejects.toMatchObject({ code: "too_many_requests" });
});

test("an unsigned token costs no read of the table", async () => {
  const { token } = await login(caller(), { email: root, password });
  await checkSession(caller(), token, true);
  it.resetUsage();
  const [header, payload] = partsOf(token);
  await expect(checkSession(caller(), `${header}.${payload}.AAAA`, true)).rejects.toMatchObject({ code: "unauthenticated" });
  expect(it.usage()).toEqual([]);
});

test("an unknown email costs the same reads and writes as a wrong password", async () => {
  const spent = async (email: string) => {
    it.resetUsage();
    await expect(login(caller({ address: "192.0.2.9" }), { email, password: "wrong horse battery staple" })).rejects.toThrow();
    return it.usage().map(({ operation }) => operation);
  };
  expect(await spent("nobody@nowhere.example")).toEqual(await spent(root));
});
