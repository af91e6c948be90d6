import { NewUser } from "@vitaline/contract";
import { sha256In } from "@vitaline/core";
import { keys, update, type AuditRow, type UserRow } from "@vitaline/store";
import type { PlatformStore } from "@vitaline/store/platform.ts";
import { createTenant } from "@vitaline/tenants";
import fc from "fast-check";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { startTestAws, type TestAws } from "../../test/kit/aws.ts";
import {
  createUser,
  listUsers,
  mailForgottenPassword,
  verifyPassword,
  resendInvite,
  resetPassword,
  setPasswordByLink,
  updateUser,
} from "./index.ts";

let it: TestAws;
let tenantIds: [string, string];
const password = "correct horse battery staple";
const chosen = "another long sentence of mine";

beforeAll(async () => {
  it = await startTestAws();
  process.env["MAIL_FROM"] = "Vitaline <no-reply@vitaline.example>";
  const clinic = (name: string) => createTenant(it.platform(), { name, organizationType: "clinic", contactEmail: "x@y.example" });
  const [one, two] = await Promise.all([clinic("One"), clinic("Two")]);
  tenantIds = [one.id, two.id];
});
afterEach(() => it.fault());
afterAll(() => it.close());

let people = 0;
const names = { firstName: "Ada", lastName: "Byron" };
const add = (tenantId?: string, way: { password: string } | { invite: true } = { password }) =>
  createUser(
    it.platform(),
    NewUser.parse({
      email: `p${people++}@users.example`,
      ...names,
      ...way,
      ...(tenantId ? { role: "tenant_admin", tenantId } : { role: "system_admin" }),
    }),
  );
const by = (id = "b".repeat(26)) => it.platform({ kind: "user", id, role: "system_admin" });
const row = async (id: string): Promise<UserRow> => (await it.platform().platform.get(keys.user(id))) as UserRow;
const entryAt = (tenantId: string, id: string) => it.inTenant(tenantId).store.get(keys.tenantUser(id));
const mailTo = (email: string): string => it.aws.ses.mails().findLast(({ to }) => to.includes(email))?.text ?? "";
const mailedToken = (email: string): string => /\/(?:reset-password|accept-invite)\/([\w-]+)/.exec(mailTo(email))?.[1] ?? "";
const actives = async (): Promise<number> =>
  (await listUsers(it.platform())).rows.filter(({ role, isActive }) => role === "system_admin" && isActive).length;

test("a change updates the user, both lists and the tenant's audit log, and raises the version", async () => {
  const [one] = tenantIds;
  const { id } = await add(one);
  const user = await updateUser(by(), id, { ...names, firstName: "Augusta" }, 1);
  expect(user).toMatchObject({ firstName: "Augusta", version: 2, tenantName: "One" });
  expect((await listUsers(it.platform())).rows).toContainEqual(user);
  expect(await entryAt(one, id)).toMatchObject({ firstName: "Augusta", version: 2 });
  const month = new Date().toISOString().slice(0, 7);
  const { rows } = await it
    .inTenant(one)
    .store.query<AuditRow>(keys.tenantPartitions.audit(one, month, "configuration_change"), { descending: true, limit: 1 });
  expect(rows).toMatchObject([{ action: "user.update", resourceId: id, actorId: "b".repeat(26) }]);
  await expect(updateUser(by(), id, { ...names }, 1)).rejects.toMatchObject({ code: "stale_version" });
  await expect(updateUser(by(), "0".repeat(26), { ...names }, undefined)).rejects.toMatchObject({ code: "not_found" });
});

test("a list shows current tenant names, for two Queries and one batch read per page", async () => {
  const [one, two] = tenantIds;
  const [{ id }, other, root] = [await add(one), await add(two), await add()];
  const stale = { set: { tenantName: "Long ago" } } as object;
  await it.platform().platform.commit([update(keys.userDirectory(id), stale)], {
    category: "configuration_change",
    action: "test.before",
    resourceType: "User",
  });
  const rename = (name: string) =>
    it
      .platform()
      .platform.inTenant(one)
      .commit([update(keys.tenantDirectory(), { set: { name } })], {
        category: "configuration_change",
        action: "tenant.update",
        resourceType: "Tenant",
      });
  await rename("One, renamed");
  it.resetUsage();
  const { rows } = await listUsers(it.platform());
  expect(it.usage().map(({ operation }) => operation)).toEqual(["Query", "Query", "BatchGetItem"]);
  const nameOf = (userId: string) => rows.find((user) => user.id === userId)?.tenantName;
  expect([id, other.id, root.id].map(nameOf)).toEqual(["One, renamed", "Two", null]);
  expect(await updateUser(by(), id, { ...names, firstName: "Augusta" }, undefined)).toMatchObject({ tenantName: "One, renamed" });
  expect(await entryAt(one, id)).not.toHaveProperty("tenantName");
  await rename("One");
});

test("a change without effect is neither written nor audited, and still requires the current version", async () => {
  const { id } = await add(tenantIds[0]);
  const before = await updateUser(by(), id, { ...names, firstName: "Augusta" }, 1);
  it.resetUsage();
  for (const same of [{}, { ...names, firstName: "Augusta", role: "tenant_admin", tenantId: tenantIds[0] }, { isActive: true }] as const)
    expect(await updateUser(by(), id, same, 2)).toEqual(before);
  expect(it.usage().every(({ writeUnits }) => writeUnits === 0)).toBe(true);
  await expect(updateUser(by(), id, {}, 1)).rejects.toMatchObject({ code: "stale_version" });
});

test("concurrent changes without a version all succeed; of those with the same version one does", async () => {
  const { id } = await add(tenantIds[0]);
  await Promise.all(["A", "B", "C"].map((firstName) => updateUser(by(), id, { ...names, firstName }, undefined)));
  expect(await row(id)).toMatchObject({ version: 4 });
  const tries = await Promise.allSettled(["D", "E"].map((firstName) => updateUser(by(), id, { ...names, firstName }, 4)));
  expect(tries.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
});

test("a user who moves to another tenant leaves the first one's list, and their sessions end", async () => {
  const [one, two] = tenantIds;
  const { id, email } = await add(one);
  const moved = await updateUser(by(), id, { ...names, tenantId: two }, undefined);
  expect(moved).toMatchObject({ tenantId: two, tenantName: "Two" });
  expect([await entryAt(one, id), (await entryAt(two, id))?.id]).toEqual([undefined, id]);
  expect(await row(id)).toMatchObject({ tenantId: two, epoch: 1 });
  expect(await it.platform().platform.get(keys.email(email))).toEqual({ userId: id, tenantId: two });
});

test("choosing system_admin clears the tenant, and tenant_admin needs one", async () => {
  const [one, two] = tenantIds;
  const [{ id }] = await Promise.all([add(one), add()]);
  const raised = await updateUser(by(), id, { ...names, role: "system_admin", tenantId: two }, undefined);
  expect(raised).toMatchObject({ role: "system_admin", tenantId: null, tenantName: null });
  expect([await entryAt(one, id), await entryAt(two, id)]).toEqual([undefined, undefined]);
  const message = "Please select a tenant for tenant admin users";
  for (const tenantId of [undefined, null, "" as const, "0".repeat(26)])
    await expect(updateUser(by(), id, { ...names, role: "tenant_admin", tenantId }, undefined)).rejects.toMatchObject({
      fields: { tenantId: message },
    });
  expect(await updateUser(by(), id, { ...names, role: "tenant_admin", tenantId: two }, undefined)).toMatchObject({ tenantId: two });
  const parsed = NewUser.parse({ role: "system_admin", tenantId: one, email: "cleared@users.example", password, ...names });
  expect(await createUser(it.platform(), parsed)).toMatchObject({ tenantId: null });
});

test("a changed email is taken once, also with concurrent requests", async () => {
  const [one, two] = [await add(tenantIds[0]), await add(tenantIds[1])];
  const taken = { code: "duplicate", fields: { email: "A user with this email already exists" } };
  await expect(updateUser(by(), one.id, { ...names, email: two.email }, undefined)).rejects.toMatchObject(taken);
  const wanted = "wanted@users.example";
  const tries = await Promise.allSettled([one, two].map(({ id }) => updateUser(by(), id, { ...names, email: wanted }, undefined)));
  expect(tries.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  expect(tries.find((result) => result.status === "rejected")?.reason).toMatchObject(taken);
  const winner = tries[0]?.status === "fulfilled" ? one : two;
  expect(await it.platform().platform.get(keys.email(wanted))).toMatchObject({ userId: winner.id });
  expect(await it.platform().platform.get(keys.email(winner.email))).toBeUndefined();
});

test("a user can neither deactivate themselves nor change their own role", async () => {
  const { id } = await add();
  await add();
  for (const changes of [{ isActive: false }, { role: "tenant_admin", tenantId: tenantIds[0] }] as const)
    await expect(updateUser(by(id), id, { ...names, ...changes }, undefined)).rejects.toMatchObject({ code: "not_doable" });
  await expect(resetPassword(by(id), id, { password: chosen })).rejects.toMatchObject({ code: "not_doable" });
  expect(await updateUser(by(id), id, { ...names, lastName: "Lovelace" }, undefined)).toMatchObject({ lastName: "Lovelace" });
});

test("one active system administrator remains, also with concurrent deactivations", async () => {
  while ((await actives()) < 5) await add();
  const admins = (await listUsers(it.platform())).rows.filter(({ role, isActive }) => role === "system_admin" && isActive);
  const takeAway = ({ id }: { id: string }, index: number) =>
    index % 2
      ? updateUser(by(), id, { isActive: false }, undefined)
      : updateUser(by(), id, { role: "tenant_admin", tenantId: tenantIds[0] }, undefined);
  for (let round = 0; round < 3 && (await actives()) > 1; round++) await Promise.allSettled(admins.map(takeAway));
  expect(await actives()).toBe(1);
  const [last] = (await listUsers(it.platform())).rows.filter(({ role, isActive }) => role === "system_admin" && isActive);
  await expect(updateUser(by(), last?.id ?? "", { isActive: false }, undefined)).rejects.toMatchObject({ code: "not_doable" });
  expect(await it.platform().platform.get(keys.activeAdmins())).toEqual({ count: 1 });
  const other = admins.find(({ id }) => id !== last?.id);
  await updateUser(by(), other?.id ?? "", { role: "system_admin", isActive: true }, undefined);
  await updateUser(by(), last?.id ?? "", { isActive: false }, undefined);
  expect(await actives()).toBe(1);
});

test("administrators from before the count are counted at first use", async () => {
  const { id } = await add();
  const before = await actives();
  await it.platform().platform.commit([{ verb: "delete", key: keys.activeAdmins() }], {
    category: "configuration_change",
    action: "test",
    resourceType: "User",
  });
  await Promise.all([add(), add()]);
  expect(await it.platform().platform.get(keys.activeAdmins())).toEqual({ count: before + 2 });
  await updateUser(by(), id, { isActive: false }, undefined);
  expect(await it.platform().platform.get(keys.activeAdmins())).toEqual({ count: before + 1 });
});

test("an invitation is mailed, has no password until it is accepted once, and works for seven days", async () => {
  for (const tenantId of [...tenantIds, undefined]) {
    const user = await add(tenantId, { invite: true });
    expect(user).toMatchObject({ invitedAt: user.createdAt, mustChangePassword: false });
    expect(await row(user.id)).not.toHaveProperty("passwordHash");
    const accept = (kind: "invite" | "reset") =>
      setPasswordByLink(it.platform(), kind, { token: mailedToken(user.email), password: chosen });
    await expect(accept("reset")).rejects.toMatchObject({ code: "not_doable" });
    await accept("invite");
    expect(await verifyPassword(chosen, (await row(user.id)).passwordHash)).toBe(true);
    expect((await listUsers(it.platform())).rows.find(({ id }) => id === user.id)).toMatchObject({ invitedAt: null });
    await expect(accept("invite")).rejects.toMatchObject({ code: "not_doable" });
    await expect(resendInvite(by(), user.id)).rejects.toMatchObject({ code: "not_doable" });
  }
  const late = await add(tenantIds[0], { invite: true });
  const token = await it.platform().platform.get(keys.mailedToken(sha256In("mailed-token", mailedToken(late.email))));
  expect(token).toMatchObject({ kind: "invite", userId: late.id, tenantId: tenantIds[0] });
  expect(token?.expiresAt).toBe(Math.floor(Date.parse(late.createdAt) / 1000) + 7 * 86_400);
});

test("a new invitation invalidates the previous one", async () => {
  const { id, email } = await add(tenantIds[0], { invite: true });
  const old = mailedToken(email);
  expect(await resendInvite(by(), id)).toMatchObject({ id, version: 2 });
  const fresh = mailedToken(email);
  expect(fresh).not.toBe(old);
  await expect(setPasswordByLink(it.platform(), "invite", { token: old, password: chosen })).rejects.toMatchObject({ code: "not_doable" });
  await setPasswordByLink(it.platform(), "invite", { token: fresh, password: chosen });
});

test("every invitation names the organization and the email for signing in", async () => {
  const { id, email } = await add(tenantIds[1], { invite: true });
  const root = await add(undefined, { invite: true });
  const toClinic = new RegExp(`to manage the voice agents of Two\\.[^]*sign in with this email address, ${email}\\.`);
  expect(mailTo(email)).toMatch(toClinic);
  expect(mailTo(root.email)).toContain("to administer the platform");
  const before = it.aws.ses.mails().length;
  await resendInvite(by(), id);
  await resendInvite(by(), root.id);
  expect(it.aws.ses.mails()).toHaveLength(before + 2);
  expect(mailTo(email)).toMatch(toClinic);
  expect(mailTo(root.email)).toContain("to administer the platform");
});

test("a failed invitation mail is reported, and can be sent again", async () => {
  it.fault(({ service }) => (service === "ses" ? "drop" : undefined));
  const email = "unmailed@users.example";
  const input = NewUser.parse({ role: "system_admin", email, invite: true, ...names });
  await expect(createUser(it.platform(), input)).rejects.toMatchObject({ code: "unavailable" });
  it.fault();
  const owner = await it.platform().platform.get(keys.email(email));
  await resendInvite(by(), owner?.userId ?? "");
  expect(mailedToken(email)).toHaveLength(43);
});

test("an administrator sets a password that must be changed, or mails a link, and the old password becomes invalid", async () => {
  const { id, email } = await add(tenantIds[0]);
  expect(await resetPassword(by(), id, {})).toMatchObject({ mustChangePassword: false });
  const { epoch, ...mailed } = await row(id);
  expect(epoch).toBe(1);
  expect(mailed).not.toHaveProperty("passwordHash");
  const link = mailedToken(email);
  expect(await resetPassword(by(), id, { password: chosen })).toMatchObject({ mustChangePassword: true });
  expect(await verifyPassword(chosen, (await row(id)).passwordHash)).toBe(true);
  await expect(setPasswordByLink(it.platform(), "reset", { token: link, password })).rejects.toMatchObject({ code: "not_doable" });
  await expect(resetPassword(by(), id, { password: "Password1234" })).rejects.toMatchObject({
    fields: { password: "Is too easy to guess" },
  });
  await updateUser(by(), id, { isActive: false }, undefined);
  await expect(resetPassword(by(), id, {})).rejects.toMatchObject({ code: "not_doable" });
});

test("a reset with a link that cannot be mailed is reported as done, and a forgotten password's link leads back in", async () => {
  const { id, email } = await add(tenantIds[0]);
  it.fault(({ service }) => (service === "ses" ? "drop" : undefined));
  await expect(resetPassword(by(), id, {})).rejects.toMatchObject({
    code: "unavailable",
    message: "The old password no longer works, but the link could not be emailed. Ask them to choose Forgot password when they sign in.",
  });
  expect(await row(id)).not.toHaveProperty("passwordHash");
  it.fault();
  await mailForgottenPassword(it.platform(), email);
  await setPasswordByLink(it.platform(), "reset", { token: mailedToken(email), password: chosen });
  expect(await verifyPassword(chosen, (await row(id)).passwordHash)).toBe(true);
});

test("a password set by an administrator is hashed once, also if the change is retried", async () => {
  const { id } = await add(tenantIds[0]);
  const hashes: unknown[] = [];
  const ctx = by();
  const inTenant = (tenantId: string): PlatformStore => {
    const store = ctx.platform.inTenant(tenantId);
    return {
      ...store,
      async commit(writes, audit) {
        hashes.push(...writes.flatMap((write) => (write.verb === "put" && "passwordHash" in write.row ? [write.row["passwordHash"]] : [])));
        if (hashes.length === 1) await updateUser(by(), id, { firstName: "Meanwhile" }, undefined);
        await store.commit(writes, audit);
      },
    };
  };
  await resetPassword({ ...ctx, platform: { ...ctx.platform, inTenant } }, id, { password: chosen });
  expect(hashes).toHaveLength(2);
  expect(new Set(hashes).size).toBe(1);
  expect(await row(id)).toMatchObject({ firstName: "Meanwhile", passwordHash: hashes[0] });
});

test("pages of users contain every user once, and not the count of administrators", async () => {
  const seen: string[] = [];
  for (let cursor: string | undefined, more = true; more; more = cursor !== undefined) {
    const page = await listUsers(it.platform(), { limit: 3, cursor });
    expect(page.rows.length).toBeLessThanOrEqual(3);
    seen.push(...page.rows.map(({ id }) => id));
    cursor = page.next;
  }
  const all = (await listUsers(it.platform())).rows.map(({ id }) => id);
  expect(seen).toEqual(all);
  expect(new Set(seen).size).toBe(seen.length);
});

test("any text that is no token is refused with the same answer", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(fc.string({ maxLength: 200 }), fc.base64String()),
      fc.constantFrom("reset", "invite"),
      async (token, kind) => {
        await expect(setPasswordByLink(it.platform(), kind, { token, password: chosen })).rejects.toMatchObject({ code: "not_doable" });
      },
    ),
    { numRuns: 100 },
  );
});

test("a user to be created has a password or an invitation, and not both", () => {
  const user = { role: "system_admin", email: "a@b.example", ...names };
  const message = "Email and password are required";
  for (const [wrong, at] of [
    [user, "password"],
    [{ ...user, password, invite: true }, "password"],
    [{ ...user, email: undefined, password }, "email"],
    [{ ...user, email: " ", password }, "email"],
  ] as const) {
    const { error } = NewUser.safeParse(wrong);
    expect(error?.issues.map((issue) => [issue.path.join("."), issue.message])).toEqual([[at, message]]);
  }
});
