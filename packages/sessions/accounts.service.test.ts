import { keys, update } from "@vitaline/store";
import { createUser, listUsers, resetPassword, updateUser } from "@vitaline/users";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  changePassword,
  checkSession,
  endSession,
  forgotPassword,
  listSessions,
  logoutEverywhere,
  openInvitation,
  setPassword,
  unlockUser,
  viewAs,
} from "./index.ts";
import { password, startPeople, type People } from "./people.fixture.ts";

let it: People;
beforeAll(async () => void (it = await startPeople()));
afterAll(() => it.close());

const newPassword = "another long sentence of mine";
const by = (id: string) => it.aws.platform({ kind: "user", id, role: "system_admin" });
const holds = (token: string): Promise<boolean> =>
  checkSession(it.caller(), token, true).then(
    () => true,
    () => false,
  );

test("a password set by an administrator must be changed, and changing it opens a session without that requirement", async () => {
  for (const tenantId of it.tenantIds) {
    const { email, id } = await it.add(tenantId, by("a".repeat(26)));
    const first = await it.enter(email);
    expect(first).toMatchObject({ mustChangePassword: true, pending: "password_change", user: { mustChangePassword: true } });
    const ctx = await it.signedIn(first.token);
    expect(ctx.session.pending).toBe("password_change");
    const second = await changePassword(ctx, { currentPassword: password, newPassword });
    expect(second).toMatchObject({ mustChangePassword: false, pending: null, user: { id, email, version: 2 } });
    expect(await holds(first.token)).toBe(false);
    expect((await checkSession(it.caller(), second.token, true)).pending).toBeUndefined();
    const listed = await it.aws.inTenant(tenantId).store.get(keys.tenantUser(id));
    expect(listed).not.toHaveProperty("mustChangePassword");
    await expect(it.enter(email)).rejects.toMatchObject({ code: "invalid_credentials" });
    expect(await it.enter(email, { password: newPassword })).toMatchObject({ mustChangePassword: false });
  }
});

test("a password set by a platform command need not be changed", async () => {
  const { email } = await it.add();
  expect(await it.enter(email)).toMatchObject({ mustChangePassword: false, pending: null });
});

test("changing a password requires the current one and a new uncommon one, and ends every other session", async () => {
  const { email } = await it.add(it.tenantIds[0]);
  const [here, there] = [await it.enter(email), await it.enter(email)];
  const ctx = await it.signedIn(here.token);
  const refused = async (currentPassword: string, next: string, field: string) =>
    expect(changePassword(ctx, { currentPassword, newPassword: next })).rejects.toMatchObject({
      code: "invalid_request",
      fields: { [field]: expect.any(String) as string },
    });
  await refused("not the current one", newPassword, "currentPassword");
  await refused(password, password, "newPassword");
  await refused(password, "Password1234", "newPassword");
  expect([await holds(here.token), await holds(there.token)]).toEqual([true, true]);
  const { token } = await changePassword(ctx, { currentPassword: password, newPassword });
  expect([await holds(here.token), await holds(there.token), await holds(token)]).toEqual([false, false, true]);
});

test("guessing the current password of an open session is slowed down like a sign-in", async () => {
  const { email } = await it.add();
  const ctx = await it.signedIn((await it.enter(email)).token, { address: "192.0.2.77" });
  const guess = () =>
    changePassword(ctx, { currentPassword: "a wrong password", newPassword }).catch((error: { code: string }) => error.code);
  const answers: unknown[] = [];
  for (let i = 0; i < 40 && answers.at(-1) !== "too_many_requests"; i++) answers.push(await guess());
  expect(answers.at(-1)).toBe("too_many_requests");
});

test("users see and end their own sessions, one by one or all at once, and no one else's", async () => {
  const [one, two] = [await it.add(it.tenantIds[0]), await it.add(it.tenantIds[1])];
  const tokens = [await it.enter(one.email, { address: "192.0.2.1" }), await it.enter(one.email), await it.enter(one.email)].map(
    ({ token }) => token,
  ) as [string, string, string];
  const ctx = await it.signedIn(tokens[2]);
  const own = await listSessions(ctx);
  expect(own.map(({ current }) => current)).toEqual([true, false, false]);
  expect(own.at(-1)).toMatchObject({ clientAddress: "192.0.2.1", viewAs: null });
  const stranger = await it.signedIn((await it.enter(two.email)).token);
  const [, second] = own;
  await expect(endSession(stranger, second?.id ?? "")).rejects.toMatchObject({ code: "not_found" });
  expect(await holds(tokens[1])).toBe(true);
  await endSession(ctx, second?.id ?? "");
  expect([await holds(tokens[0]), await holds(tokens[1]), await holds(tokens[2])]).toEqual([true, false, true]);
  expect(await listSessions(ctx)).toHaveLength(2);
  await logoutEverywhere(ctx);
  expect([await holds(tokens[0]), await holds(tokens[2])]).toEqual([false, false]);
  expect(await listSessions(stranger)).toHaveLength(1);
});

test("a list of sessions costs one Query and omits idle and ended ones", async () => {
  const { email } = await it.add();
  await it.enter(email, { inSeconds: -1000 });
  const ctx = await it.signedIn((await it.enter(email)).token);
  it.aws.resetUsage();
  expect(await listSessions(ctx)).toHaveLength(1);
  expect(it.aws.usage().map(({ operation }) => operation)).toEqual(["Query"]);
});

test("a forgotten password is replaced by a mailed link, once, and every session ends", async () => {
  for (const tenantId of [...it.tenantIds, undefined]) {
    const { email, id } = await it.add(tenantId);
    const { token } = await it.enter(email);
    await forgotPassword(it.caller(), { email });
    const link = it.mailedToken(email);
    await expect(setPassword(it.caller(), "reset", { token: link, password: "Password1234" })).rejects.toMatchObject({
      fields: { password: "Is too easy to guess" },
    });
    const tries = await Promise.allSettled([1, 2, 3].map(() => setPassword(it.caller(), "reset", { token: link, password: newPassword })));
    expect(tries.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    for (const lost of tries.filter((result) => result.status === "rejected")) expect(lost.reason).toMatchObject({ code: "not_doable" });
    expect(await holds(token)).toBe(false);
    expect(await it.enter(email, { password: newPassword })).toMatchObject({ pending: null });
    const audited = (await it.audits("user.resetPassword", tenantId)).filter(({ resourceId }) => resourceId === id);
    expect(audited).toMatchObject([{ success: true, actorKind: "user" }]);
  }
});

test("a link becomes invalid after an hour, with a new password, and with a deactivation, and works only for its kind", async () => {
  const linkFor = async (email: string, address: string) => {
    await forgotPassword(it.caller({ address }), { email });
    return it.mailedToken(email);
  };
  const over = { code: "not_doable", message: "This link is no longer valid. Please request a new one." };
  const { email, id } = await it.add(it.tenantIds[0]);
  const old = await linkFor(email, "192.0.2.20");
  const chosen = { token: old, password: newPassword };
  await expect(setPassword(it.caller({ inSeconds: 3601 }), "reset", chosen)).rejects.toMatchObject(over);
  await expect(setPassword(it.caller(), "invite", chosen)).rejects.toMatchObject(over);
  await changePassword(await it.signedIn((await it.enter(email)).token), { currentPassword: password, newPassword });
  await expect(setPassword(it.caller(), "reset", chosen)).rejects.toMatchObject(over);
  const last = await linkFor(email, "192.0.2.21");
  const platform = it.aws.platform().platform;
  const test = { category: "configuration_change", action: "test", resourceType: "User" } as const;
  await platform.commit([update(keys.user(id), { set: { isActive: false } })], test);
  await expect(setPassword(it.caller(), "reset", { token: last, password: newPassword })).rejects.toMatchObject(over);
  for (const token of ["", "x", "A".repeat(43), `${last}A`, last.slice(1), last.toLowerCase(), "../../etc", "\u0000"])
    await expect(setPassword(it.caller(), "reset", { token, password: newPassword })).rejects.toMatchObject(over);
});

test("requesting a link costs the same table requests and gives the same answer for every email", async () => {
  const { email } = await it.add();
  const atMs = earlyInWindow();
  const spent = async (address: string) => {
    it.aws.resetUsage();
    expect(await forgotPassword(it.caller({ address: "192.0.2.30", atMs }), { email: address })).toBeUndefined();
    return it.aws.usage().map(({ operation }) => operation.replace("TransactWriteItems", "PutItem"));
  };
  expect(await spent("never-asked@nowhere.example")).toEqual(await spent(email));
});

test("a failure of SES is not visible to the requester of a link", async () => {
  const { email } = await it.add();
  it.aws.fault(({ service }) => (service === "ses" ? "drop" : undefined));
  expect(await forgotPassword(it.caller({ address: "192.0.2.31" }), { email })).toBeUndefined();
  it.aws.fault();
});

test("C16: a stranger's requests neither flood a mailbox nor block its owner's link, and one address can cause only a few", async () => {
  const { email } = await it.add(it.tenantIds[0]);
  const atMs = earlyInWindow();
  const ask = (to: string, address: string) =>
    forgotPassword(it.caller({ address, atMs }), { email: to }).then(
      () => "said so",
      (error: { code: string }) => error.code,
    );
  const mailed = () => it.aws.aws.ses.mails().filter(({ to }) => to.includes(email)).length;
  const strangers = await Promise.all(Array.from({ length: 12 }, (_, i) => ask(email, `198.51.100.${i}`)));
  expect(new Set(strangers)).toEqual(new Set(["said so"]));
  const most = mailed();
  expect(most).toBeLessThan(8);
  expect(await ask(email, "203.0.113.9")).toBe("said so");
  expect(mailed()).toBe(most);
  await setPassword(it.caller({ address: "203.0.113.9", atMs }), "reset", { token: it.mailedToken(email), password: newPassword });
  expect(await it.enter(email, { password: newPassword, atMs })).toMatchObject({ user: { email } });

  const oneLine = Array.from({ length: 12 }, (_, i) => `2001:db8:5:6::${i}`);
  expect(await Promise.all(oneLine.map((address) => ask("nobody@nowhere.example", address)))).toContain("too_many_requests");
  const many: string[] = [];
  for (let batch = 0; batch < 4; batch++)
    many.push(...(await Promise.all(Array.from({ length: 10 }, (_, i) => ask(`stranger-${batch}${i}@nowhere.example`, "198.51.100.99")))));
  expect(many).toContain("too_many_requests");
});

test("C08: an IPv6 network has the attempts of one address, and spending an account's attempts does not lock out the network of its last sign-in", async () => {
  const { email } = await it.add(it.tenantIds[0]);
  const atMs = earlyInWindow();
  const tryFrom = (address: string, secret = "a wrong password") =>
    it.enter(email, { password: secret, atMs, address }).then(
      () => "in",
      (error: { code: string }) => error.code,
    );
  expect(await tryFrom("203.0.113.20", password)).toBe("in");
  const codes: string[] = [];
  for (let i = 0; i < 30; i++) codes.push(await tryFrom(`2001:db8:7:8::${i.toString(16)}`));
  expect(codes.filter((code) => code === "invalid_credentials").length).toBeLessThan(20);
  expect(codes.at(-1)).toBe("too_many_requests");
  let last = "";
  for (let i = 0; i < 130 && last !== "too_many_requests"; i++) last = await tryFrom(`198.18.0.${i}`);
  expect(last).toBe("too_many_requests");
  expect(await tryFrom("198.18.1.1", password)).toBe("too_many_requests");
  expect(await tryFrom("203.0.113.20", password)).toBe("in");
});

/** Attempts are counted per 15-minute window, which must not end during a test. */
const earlyInWindow = (): number => Math.floor(Date.now() / 900_000) * 900_000 + 30_000;

test("a list of users shows lockouts and their end, for two Queries and the tenant names", async () => {
  const atMs = earlyInWindow();
  const [guessed, calm] = [await it.add(it.tenantIds[0]), await it.add(it.tenantIds[1])];
  const root = it.caller({ atMs });
  const shown = async (inSeconds = 0) => {
    const { rows } = await listUsers(it.caller({ atMs, inSeconds }));
    return [guessed, calm].map(({ id }) => rows.find((row) => row.id === id)?.lockedUntil);
  };
  const fail = (more: { email: string; atMs: number; address: string }) =>
    it.enter(more.email, { ...more, password: "a wrong password" }).then(
      () => "in",
      (error: { code: string }) => error.code,
    );
  expect(await shown()).toEqual([null, null]);
  let code = "";
  for (let i = 0; i < 40 && code !== "too_many_requests"; i++) code = await fail({ email: guessed.email, atMs, address: "192.0.2.50" });
  await fail({ email: calm.email, atMs, address: "192.0.2.51" });
  const [until, none] = await shown();
  expect(none).toBeNull();
  const seconds = (Date.parse(until ?? "") - atMs) / 1000;
  expect(seconds).toBeGreaterThan(0);
  expect(seconds).toBeLessThanOrEqual(900);
  // The lock shown in lists must match the refusal.
  expect(await fail({ email: guessed.email, atMs: atMs + seconds * 1000 - 1000, address: "192.0.2.50" })).toBe("too_many_requests");
  expect(await fail({ email: guessed.email, atMs: atMs + seconds * 1000, address: "192.0.2.50" })).toBe("invalid_credentials");
  expect((await shown(900))[0]).toBeNull();

  it.aws.resetUsage();
  await listUsers(it.caller({ atMs }));
  expect(it.aws.usage().map(({ operation }) => operation)).toEqual(["Query", "Query", "BatchGetItem"]);
  const told = async () => (await updateUser(root, guessed.id, { lastName: `Byron ${Math.random()}` }, undefined)).lockedUntil;
  expect(await told()).not.toBeNull();
  expect((await unlockUser(root, guessed.id)).lockedUntil).toBeNull();
  expect([await told(), ...(await shown())]).toEqual([null, null, null]);
});

test("a new email is not locked", async () => {
  const { id, email } = await it.add(it.tenantIds[0]);
  const atMs = earlyInWindow();
  const root = it.caller({ atMs });
  for (let i = 0; i < 14; i++) await it.enter(email, { password: "a wrong password", address: "192.0.2.60", atMs }).catch(() => undefined);
  expect((await updateUser(root, id, { firstName: "Ida" }, undefined)).lockedUntil).not.toBeNull();
  expect((await updateUser(root, id, { email: `moved-${email}` }, undefined)).lockedUntil).toBeNull();
  expect((await listUsers(root)).rows.find((row) => row.id === id)?.lockedUntil).toBeNull();
});

test("an administrator's unlock takes effect at once for every address with failed attempts", async () => {
  const { email, id } = await it.add(it.tenantIds[0]);
  const addresses = ["192.0.2.40", "192.0.2.41"];
  const codeAt = (address: string, secret = "a wrong password") =>
    it.enter(email, { password: secret, address }).then(
      () => "in",
      (error: { code: string }) => error.code,
    );
  for (const address of addresses) {
    let code = "";
    for (let i = 0; i < 40 && code !== "too_many_requests"; i++) code = await codeAt(address);
    expect(code).toBe("too_many_requests");
  }
  await unlockUser(by("a".repeat(26)), id);
  for (const address of addresses) expect(await codeAt(address, password)).toBe("in");
  expect(await it.audits("user.unlock", it.tenantIds[0])).toContainEqual(expect.objectContaining({ resourceId: id }));
});

test("no one unlocks themselves, and a tenant's administrator unlocks colleagues of their own tenant alone", async () => {
  const [one, two] = it.tenantIds;
  const [admin, colleague, foreign] = [await it.add(one), await it.add(one), await it.add(two)];
  const atMs = earlyInWindow();
  for (const { email } of [colleague, foreign])
    for (let i = 0; i < 14; i++)
      await it.enter(email, { password: "a wrong password", address: "192.0.2.61", atMs }).catch(() => undefined);
  const ctx = await it.signedIn((await it.enter(admin.email, { atMs })).token, { atMs });
  const locked = async (id: string) => (await listUsers(it.caller({ atMs }))).rows.find((row) => row.id === id)?.lockedUntil;
  await expect(unlockUser(ctx, foreign.id, one)).rejects.toMatchObject({ code: "not_found" });
  await expect(unlockUser(ctx, admin.id, one)).rejects.toMatchObject({ code: "not_doable" });
  expect(await unlockUser(ctx, colleague.id, one)).toMatchObject({ id: colleague.id, lockedUntil: null });
  expect([await locked(colleague.id), typeof (await locked(foreign.id))]).toEqual([null, "string"]);
  expect(await it.audits("user.unlock", one)).toContainEqual(expect.objectContaining({ actorId: admin.id, resourceId: colleague.id }));
  expect((await it.audits("user.unlock", two)).map(({ resourceId }) => resourceId)).not.toContain(foreign.id);
});

test("colleagues unlock a user five times an hour together, so that no stolen session lets a script go on guessing; operators go on", async () => {
  const [one] = it.tenantIds;
  const [admin, colleague, another] = [await it.add(one), await it.add(one), await it.add(one)];
  const atMs = earlyInWindow();
  const ctx = await it.signedIn((await it.enter(admin.email, { atMs })).token, { atMs });
  for (let i = 0; i < 5; i++) await unlockUser(ctx, colleague.id, one);
  await expect(unlockUser(ctx, colleague.id, one)).rejects.toMatchObject({ code: "too_many_requests" });
  expect(await unlockUser(ctx, another.id, one)).toMatchObject({ id: another.id });
  expect(await unlockUser(by("a".repeat(26)), colleague.id)).toMatchObject({ id: colleague.id });
});

test("a system administrator views a tenant as its administrator for fifteen minutes, and the tenant's audit log names both", async () => {
  const root = await it.add();
  const ctx = await it.signedIn((await it.enter(root.email)).token);
  const [one, two] = it.tenantIds;
  const { token, expiresAt } = await viewAs(ctx, one);
  expect(Date.parse(expiresAt) - Date.now()).toBeLessThanOrEqual(15 * 60_000);
  const view = await checkSession(it.caller(), token, true);
  expect(view).toMatchObject({
    isViewing: true,
    actor: { id: root.id, role: "tenant_admin", tenantId: one, viewAs: one },
    user: { id: root.id, role: "tenant_admin", tenantId: one, tenantName: "One", viewAs: { tenantId: one, until: expiresAt } },
    tenant: { id: one },
  });
  const auditsOf = async (action: string, tenantId: string) =>
    (await it.audits(action, tenantId)).filter(({ actorId }) => actorId === root.id);
  expect(await auditsOf("session.viewAs", one)).toMatchObject([{ detail: { viewAs: one, viewAsBy: "Ada Byron" } }]);
  expect(await auditsOf("session.viewAs", two)).toEqual([]);

  await checkSession(it.caller({ inSeconds: 600 }), token, true);
  await expect(checkSession(it.caller({ inSeconds: 901 }), token, true)).rejects.toMatchObject({ code: "session_expired" });
  expect((await listSessions(ctx)).map((session) => session.viewAs)).toEqual([one, null]);
  await endSession(await it.signedIn(token), view.sid);
  expect(await holds(token)).toBe(false);
  expect(await auditsOf("session.logout", one)).toMatchObject([{ detail: { viewAs: one, viewAsBy: "Ada Byron" } }]);
  await expect(viewAs(ctx, "0".repeat(26))).rejects.toMatchObject({ code: "not_found" });
});

test("signing out ends exactly the views opened in that session", async () => {
  const [one, two] = it.tenantIds;
  const [ada, ida] = [await it.add(), await it.add()];
  const open = async (email: string, ...tenantIds: string[]) => {
    const { token } = await it.enter(email);
    const ctx = await it.signedIn(token);
    const views = await Promise.all(tenantIds.map(async (tenantId) => (await viewAs(ctx, tenantId)).token));
    return { ctx, token, views };
  };
  const here = await open(ada.email, one, two);
  const there = await open(ada.email, one);
  const others = await open(ida.email, one, two);
  const alive = async () => [...(await heldBy(here)), ...(await heldBy(there)), ...(await heldBy(others))];
  const heldBy = ({ token, views }: { token: string; views: string[] }) => Promise.all([token, ...views].map((each) => holds(each)));
  expect(await alive()).toEqual([true, true, true, true, true, true, true, true]);

  it.aws.resetUsage();
  await endSession(here.ctx, here.ctx.session.sid);
  expect(it.aws.usage().map(({ operation }) => operation)).toEqual(["TransactWriteItems"]);
  expect(await alive()).toEqual([false, false, false, true, true, true, true, true]);
  expect((await listSessions(there.ctx)).map(({ viewAs: of }) => of)).toEqual([one, null]);
  const fresh = await open(ada.email, two);
  await endSession(there.ctx, fresh.ctx.session.sid);
  expect(await heldBy(fresh)).toEqual([false, false]);

  it.aws.resetUsage();
  expect(await holds(there.views[0] ?? "")).toBe(true);
  expect(it.aws.usage().map(({ operation, readUnits, writeUnits }) => [operation, readUnits, writeUnits])).toEqual([
    ["BatchGetItem", 4, 0],
  ]);
  await logoutEverywhere(there.ctx);
  expect(await alive()).toEqual([false, false, false, false, false, true, true, true]);
  await resetPassword(by("a".repeat(26)), ida.id, { password: newPassword });
  expect(await alive()).toEqual([false, false, false, false, false, false, false, false]);
});

test("a deactivated administrator's views end at once, another's continue", async () => {
  const [ada, ida] = [await it.add(), await it.add()];
  const tokens = await Promise.all(
    [ada, ida].map(async ({ email }, i) => (await viewAs(await it.signedIn((await it.enter(email)).token), it.tenantIds[i] ?? "")).token),
  );
  await updateUser(by("a".repeat(26)), ada.id, { isActive: false }, undefined);
  expect(await Promise.all(tokens.map((token) => holds(token)))).toEqual([false, true]);
});

test("a view ends with its administrator's role, with their sessions, and with the tenant's activity", async () => {
  const platform = it.aws.platform().platform;
  const audit = { category: "configuration_change", action: "test", resourceType: "User" } as const;
  const [one, two] = it.tenantIds;
  const view = async (tenantId: string) => {
    const root = await it.add();
    return { root, token: (await viewAs(await it.signedIn((await it.enter(root.email)).token), tenantId)).token };
  };
  const changed = await view(one);
  await platform.commit([update(keys.user(changed.root.id), { set: { role: "tenant_admin", tenantId: two } })], audit);
  expect(await holds(changed.token)).toBe(false);
  const left = await view(one);
  await platform.commit([update(keys.user(left.root.id), { add: { epoch: 1 } })], audit);
  expect(await holds(left.token)).toBe(false);
  const closed = await view(two);
  const inTwo = platform.inTenant(two);
  await inTwo.commit([update(keys.tenantConfig(), { set: { isActive: false } })], audit);
  expect(await holds(closed.token)).toBe(false);
  const root = await it.add();
  await expect(viewAs(await it.signedIn((await it.enter(root.email)).token), two)).rejects.toMatchObject({ code: "not_doable" });
  await inTwo.commit([update(keys.tenantConfig(), { set: { isActive: true } })], audit);
});

test("an invitation says whom it is for until it is accepted, and a link to a new password says nothing", async () => {
  const [one, two] = it.tenantIds;
  for (const tenantId of [one, two]) {
    const email = `invited-${tenantId}@accounts.example`;
    const person = { email, firstName: "Nora", lastName: "New" };
    await createUser(it.aws.platform(), { ...person, role: "tenant_admin", tenantId, invite: true });
    const token = it.mailedToken(email);
    const organization = tenantId === one ? "One" : "Two";
    expect(await openInvitation(it.caller(), token)).toEqual({ ...person, organization });
    await setPassword(it.caller(), "invite", { token, password: newPassword });
    await expect(openInvitation(it.caller(), token)).rejects.toMatchObject({ code: "not_doable" });
    await forgotPassword({ ...it.caller(), pause: async () => {} }, { email });
    await expect(openInvitation(it.caller(), it.mailedToken(email))).rejects.toMatchObject({ code: "not_doable" });
  }
});
