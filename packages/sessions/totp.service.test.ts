import { keys, update } from "@vitaline/store";
import { confirmTotp, enrollTotp, updateUser, resetPassword } from "@vitaline/users";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { shownAt } from "../../test/kit/authenticator.ts";
import { checkSession, confirmOwnTotp, enrollOwnTotp, removeTotp, resetColleagueTotp, setPassword } from "./index.ts";
import { password, startPeople, type People } from "./people.fixture.ts";

let it: People;
beforeAll(async () => {
  it = await startPeople();
});
afterEach(() => it.aws.fault());
afterAll(() => it.close());

const stepSeconds = 30;
/** The clock is stopped in the middle of a time step. */
const atMs = (Math.floor(Date.now() / 1000 / stepSeconds) + 0.5) * stepSeconds * 1000;
const shown = (secret: string, steps = 0): string => shownAt(secret, atMs + steps * stepSeconds * 1000);
const enter = (email: string, more: Parameters<People["enter"]>[1] = {}) => it.enter(email, { atMs, ...more });
const now = () => it.caller({ atMs });

const withTotp = async (tenantId?: string) => {
  const person = await it.add(tenantId);
  const { secret } = await enrollTotp(now(), person.id);
  const past = it.caller({ atMs, inSeconds: -10 * stepSeconds });
  const recoveryCodes = await confirmTotp(past, person.id, shown(secret, -10));
  return { ...person, secret, recoveryCodes };
};

test("with a second factor a correct password is not enough, and a code works once", async () => {
  for (const tenantId of [...it.tenantIds, undefined]) {
    const { email, secret } = await withTotp(tenantId);
    await expect(enter(email)).rejects.toMatchObject({ code: "totp_required" });
    await expect(enter(email, { password: "a wrong password" })).rejects.toMatchObject({ code: "invalid_credentials" });
    await expect(enter(email, { totpCode: "000000" === shown(secret) ? "000001" : "000000" })).rejects.toMatchObject({
      code: "invalid_credentials",
    });
    const totpCode = shown(secret);
    const tries = await Promise.allSettled([1, 2, 3].map(() => enter(email, { totpCode })));
    expect(tries.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    for (const lost of tries.filter((result) => result.status === "rejected"))
      expect(lost.reason).toMatchObject({ code: "invalid_credentials" });
    expect(await enter(email, { totpCode: shown(secret, 1) })).toMatchObject({ user: { email, hasTotp: true } });
    await expect(enter(email, { totpCode })).rejects.toMatchObject({ code: "invalid_credentials" });
    await expect(enter(email, { totpCode: shown(secret, 3) })).rejects.toMatchObject({ code: "invalid_credentials" });
  }
});

test("a sign-in with either second factor costs ten write units", async () => {
  const { email, secret, recoveryCodes } = await withTotp(it.tenantIds[0]);
  await enter(email, { totpCode: shown(secret, -1) });
  // A recovery code does not reset the attempts, so the lock is checked.
  for (const [totpCode, looks] of [
    [shown(secret), []],
    [recoveryCodes[0], ["GetItem"]],
  ] as const) {
    it.aws.resetUsage();
    await enter(email, { totpCode });
    const spent = it.aws.usage();
    expect(spent.reduce((sum, { writeUnits }) => sum + writeUnits, 0)).toBeLessThanOrEqual(10);
    expect(spent.map(({ operation }) => operation).sort()).toEqual([
      "BatchGetItem",
      "GetItem",
      "GetItem",
      "GetItem",
      ...looks,
      "TransactWriteItems",
      "UpdateItem",
      "UpdateItem",
    ]);
  }
});

test("C08: a known password allows twenty codes a day from all addresses; the owner is notified once and can still sign in from their last network", async () => {
  const { email, secret } = await withTotp(it.tenantIds[0]);
  const home = "2001:db8:1:2::7";
  const dayMs = Math.ceil(atMs / 86_400_000) * 86_400_000 + 60_000;
  const codeAt = (inSeconds: number) => shownAt(secret, dayMs + inSeconds * 1000);
  await enter(email, { totpCode: codeAt(0), atMs: dayMs, address: home });
  const before = it.aws.aws.ses.mails().length;
  const said: string[] = [];
  for (let tried = 0; tried < 60; tried++)
    said.push(
      await enter(email, { totpCode: "not one", atMs: dayMs + tried * 900_000, address: `198.51.100.${tried}` }).then(
        () => "in",
        (error: { code: string }) => error.code,
      ),
    );
  expect(said.slice(0, 20)).toEqual(Array(20).fill("invalid_credentials"));
  expect(new Set(said.slice(20))).toEqual(new Set(["too_many_requests"]));
  const mails = it.aws.aws.ses.mails().slice(before);
  expect(mails).toMatchObject([{ to: [email], subject: "Wrong sign-in codes for your Vitaline account" }]);
  const later = dayMs + 61 * 900_000;
  const totpCode = shownAt(secret, later);
  await expect(enter(email, { totpCode, atMs: later, address: "198.51.100.200" })).rejects.toMatchObject({ code: "too_many_requests" });
  expect(await enter(email, { totpCode, atMs: later, address: "2001:db8:1:2::9" })).toMatchObject({ user: { email } });
  const tomorrow = dayMs + 86_400_000;
  expect(await enter(email, { totpCode: shownAt(secret, tomorrow), atMs: tomorrow, address: "198.51.100.200" })).toMatchObject({
    user: { email },
  });
});

test("an account whose attempts were all spent without a code is shown as locked", async () => {
  const { email, id } = await withTotp(it.tenantIds[0]);
  const codes: string[] = [];
  while (codes.length < 40 && codes.at(-1) !== "too_many_requests")
    codes.push(
      await enter(email).then(
        () => "in",
        ({ code }: { code: string }) => code,
      ),
    );
  expect([codes[0], codes.at(-1)]).toEqual(["totp_required", "too_many_requests"]);
  const lock = await now().platform.get(keys.lockNotice(id));
  expect(Date.parse(lock?.until ?? "")).toBeGreaterThan(atMs);
});

test("each of ten recovery codes replaces the authenticator once, in any spelling and with concurrent requests", async () => {
  const { email, id, recoveryCodes } = await withTotp(it.tenantIds[0]);
  expect(new Set(recoveryCodes).size).toBe(10);
  const [first = "", second = ""] = recoveryCodes;
  const tries = await Promise.allSettled([1, 2, 3].map(() => enter(email, { totpCode: first })));
  expect(tries.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  await expect(enter(email, { totpCode: first })).rejects.toMatchObject({ code: "invalid_credentials" });
  await enter(email, { totpCode: second.toUpperCase().replaceAll("-", " ") });
  const row = await it.row(id);
  expect(row.totp?.recovery).toHaveLength(8);
  for (const code of recoveryCodes) expect(JSON.stringify(row)).not.toContain(code);
});

test("guessing codes is slowed down like guessing passwords", async () => {
  const { email, secret } = await withTotp();
  const wrong = shown(secret, 100);
  let code = "";
  for (let i = 0; i < 40 && code !== "too_many_requests"; i++)
    code = await enter(email, { totpCode: wrong, address: "192.0.2.60" }).then(
      () => "in",
      (error: { code: string }) => error.code,
    );
  expect(code).toBe("too_many_requests");
});

test("C17, S06: an older session sets up a second factor only with the password, and the owner is notified by mail", async () => {
  for (const tenantId of it.tenantIds) {
    const { id, email } = await it.add(tenantId);
    const { token } = await enter(email);
    const from = { atMs, inSeconds: 6 * 60, address: "192.0.2.90" };
    const ctx = await it.signedIn(token, from);
    const aboutPassword = { code: "invalid_request", fields: { currentPassword: expect.any(String) } };
    await expect(enrollOwnTotp(ctx, {})).rejects.toMatchObject(aboutPassword);
    await expect(enrollOwnTotp(ctx, { currentPassword: "not this one" })).rejects.toMatchObject(aboutPassword);
    expect((await it.row(id)).totp).toBeUndefined();
    const mailsBefore = it.aws.aws.ses.mails().length;
    const { secret } = await enrollOwnTotp(ctx, { currentPassword: password });
    expect(await confirmOwnTotp(ctx, shown(secret, 12))).toHaveLength(10);
    const mails = it.aws.aws.ses.mails().slice(mailsBefore);
    expect(mails).toMatchObject([{ to: [email], subject: "Two-factor sign-in is on for your Vitaline account" }]);
    expect(JSON.stringify(mails)).not.toContain(secret);
  }
});

test("C17, S06: a new session needs no password to set up a second factor, and guesses at it or at a first code are slowed down", async () => {
  const { email } = await it.add(it.tenantIds[0]);
  const { token } = await enter(email);
  await enrollOwnTotp(await it.signedIn(token, { atMs, inSeconds: 4 * 60 }), {});
  const later = await it.signedIn(token, { atMs, inSeconds: 6 * 60, address: "192.0.2.91" });
  const untilSlowed = async (guess: () => Promise<unknown>): Promise<number> => {
    for (let tries = 0; tries < 40; tries++)
      if ((await guess().catch((error: { code: string }) => error.code)) === "too_many_requests") return tries;
    return Infinity;
  };
  expect(await untilSlowed(() => enrollOwnTotp(later, { currentPassword: "guess" }))).toBeLessThan(20);
  const elsewhere = await it.signedIn(token, { atMs, inSeconds: 6 * 60, address: "192.0.2.92" });
  expect(await untilSlowed(() => confirmOwnTotp(elsewhere, "000000"))).toBeLessThan(20);
});

test("a secret is active only after a code was confirmed, and cannot be replaced while active", async () => {
  const { id, email } = await it.add(it.tenantIds[0]);
  await expect(confirmTotp(now(), id, "123456")).rejects.toMatchObject({ code: "not_doable" });
  const first = await enrollTotp(now(), id);
  expect(await enter(email)).toMatchObject({ user: { hasTotp: false } });
  const { secret, otpauthUri } = await enrollTotp(now(), id);
  expect(otpauthUri).toContain("issuer=Vitaline");
  expect(secret).not.toBe(first.secret);
  await expect(confirmTotp(now(), id, shown(first.secret))).rejects.toMatchObject({ fields: { code: "Is not correct" } });
  await confirmTotp(now(), id, shown(secret));
  await expect(enrollTotp(now(), id)).rejects.toMatchObject({ code: "not_doable" });
  // The code used for confirmation cannot be used again.
  await expect(enter(email, { totpCode: shown(secret) })).rejects.toMatchObject({ code: "invalid_credentials" });
});

test("the table contains neither secret nor codes in plain text, and a secret unseals only for its user", async () => {
  const [one, two] = [await withTotp(it.tenantIds[0]), await withTotp(it.tenantIds[1])];
  const rows = await Promise.all([it.row(one.id), it.row(two.id)]);
  expect(JSON.stringify(rows)).not.toContain(one.secret);
  await it.aws.platform().platform.commit([update(keys.user(two.id), { set: { totp: rows[0].totp } })], {
    category: "configuration_change",
    action: "test",
    resourceType: "User",
  });
  await expect(enter(two.email, { totpCode: shown(one.secret) })).rejects.toThrow();
});

test("a tenant's requirement of a second factor applies to its own users from the next request on", async () => {
  const [one, two] = it.tenantIds;
  const [theirs, others] = [await it.add(one), await it.add(two)];
  const { token } = await enter(theirs.email);
  const other = await enter(others.email);
  const require = (requireTotp: boolean) =>
    it.aws.inTenant(one).store.commit([update(keys.tenantConfig(), { set: { policies: { requireTotp } } })], {
      category: "configuration_change",
      action: "test",
      resourceType: "Tenant",
    });
  await require(true);
  expect((await checkSession(now(), token, true)).pending).toBe("totp_enrolment");
  expect((await checkSession(now(), other.token, true)).pending).toBeUndefined();
  expect(await enter(theirs.email)).toMatchObject({ pending: "totp_enrolment", mustChangePassword: false });
  const { secret } = await enrollTotp(now(), theirs.id);
  await confirmTotp(now(), theirs.id, shown(secret));
  expect((await checkSession(now(), token, true)).pending).toBeUndefined();
  await require(false);
});

test("turning it off requires a code, ends every other session, and lets the platform's user sign in by password again", async () => {
  const { email, secret } = await withTotp(it.tenantIds[0]);
  const there = await enter(email, { totpCode: shown(secret, -1) });
  const here = await enter(email, { totpCode: shown(secret) });
  const ctx = await it.signedIn(here.token, { atMs });
  await expect(removeTotp(ctx, shown(secret, 100))).rejects.toMatchObject({ code: "invalid_request", fields: { code: "Is not correct" } });
  await expect(removeTotp(ctx, shown(secret))).rejects.toMatchObject({ code: "invalid_request" });
  await removeTotp(ctx, shown(secret, 1));
  await expect(checkSession(now(), there.token, true)).rejects.toMatchObject({ code: "session_expired" });
  expect((await checkSession(now(), here.token, true)).user.hasTotp).toBe(false);
  expect(await enter(email, { password })).toMatchObject({ user: { hasTotp: false } });
  await expect(removeTotp(await it.signedIn(here.token, { atMs }), "123456")).rejects.toMatchObject({ code: "not_doable" });
});

/** As the admin function makes it for a tenant's administrator. */
const asTeam = async (tenantId: string, token: string, inSeconds = 0) => {
  const ctx = await it.signedIn(token, { atMs, inSeconds });
  return { ...ctx, tenantId, store: it.aws.inTenant(tenantId, ctx.actor).store };
};

test("an administrator resets a colleague's second factor: sessions end, only the mailed link leads back in, and both are told", async () => {
  const [tenantId] = it.tenantIds;
  const [admin, lost] = [await it.add(tenantId), await withTotp(tenantId)];
  const { token } = await enter(admin.email);
  const there = await enter(lost.email, { totpCode: shown(lost.secret) });
  const team = await asTeam(tenantId, token);
  const mailsBefore = it.aws.aws.ses.mails().length;
  expect(await resetColleagueTotp(team, lost.id, {})).toMatchObject({ id: lost.id, hasTotp: false });
  await expect(checkSession(now(), there.token, true)).rejects.toMatchObject({ code: "session_expired" });
  await expect(enter(lost.email)).rejects.toMatchObject({ code: "invalid_credentials" });
  const mails = it.aws.aws.ses.mails().slice(mailsBefore);
  expect(mails).toMatchObject([{ to: [lost.email], subject: "Two-factor sign-in is off for your Vitaline account" }]);
  expect(await it.audits("user.resetTotp", tenantId)).toMatchObject([
    { actorId: admin.id, resourceId: lost.id, detail: { byLink: true, totpRemoved: true } },
  ]);
  const chosen = "a sentence only the owner knows";
  await setPassword(now(), "reset", { token: it.mailedToken(lost.email), password: chosen });
  expect(await enter(lost.email, { password: chosen })).toMatchObject({ user: { hasTotp: false } });
  // Nothing is left to reset, and no further mail is sent.
  await expect(resetColleagueTotp(team, lost.id, {})).rejects.toMatchObject({ code: "not_doable" });
  expect(it.aws.aws.ses.mails()).toHaveLength(mailsBefore + 1);
});

test("an older session resets a colleague's second factor only with the administrator's password", async () => {
  const [tenantId] = it.tenantIds;
  const [admin, lost] = [await it.add(tenantId), await withTotp(tenantId)];
  const old = await asTeam(tenantId, (await enter(admin.email)).token, 6 * 60);
  const aboutPassword = { code: "invalid_request", fields: { currentPassword: expect.any(String) } };
  for (const proof of [{}, { currentPassword: "not this one" }])
    await expect(resetColleagueTotp(old, lost.id, proof)).rejects.toMatchObject(aboutPassword);
  expect((await it.row(lost.id)).totp?.confirmedAt).toBeDefined();
  // The link that cannot be mailed is told apart, as trying again would be refused.
  it.aws.fault(({ service }) => (service === "ses" ? "drop" : undefined));
  await expect(resetColleagueTotp(old, lost.id, { currentPassword: password })).rejects.toMatchObject({
    code: "unavailable",
    message: expect.stringMatching(/^Two-factor sign-in is off .* Ask them to choose Forgot password when they sign in\.$/),
  });
  expect(await it.row(lost.id)).not.toHaveProperty("totp");
});

test("a reset tells no one that a second factor is off which was never on", async () => {
  const { id, email } = await it.add(it.tenantIds[0]);
  await enrollTotp(now(), id);
  await resetPassword(now(), id, { removeTotp: true });
  expect(await it.row(id)).not.toHaveProperty("totp");
  expect(it.aws.aws.ses.mails().at(-1)).toMatchObject({ to: [email], subject: "Choose a new password for Vitaline" });
});

test("no one resets their own second factor as an administrator, nor that of another tenant's or the platform's user", async () => {
  const [one, two] = it.tenantIds;
  const [admin, foreign, root] = [await withTotp(one), await withTotp(two), await withTotp()];
  const team = await asTeam(one, (await enter(admin.email, { totpCode: shown(admin.secret) })).token);
  await expect(resetColleagueTotp(team, admin.id, {})).rejects.toMatchObject({
    code: "not_doable",
    message: "Please turn off your own two-factor sign-in in your account.",
  });
  for (const { id } of [foreign, root]) await expect(resetColleagueTotp(team, id, {})).rejects.toMatchObject({ code: "not_found" });
  for (const { id } of [admin, foreign, root]) expect((await it.row(id)).totp?.confirmedAt).toBeDefined();
});

test("an administrator who was narrowed meanwhile resets nothing", async () => {
  const [tenantId] = it.tenantIds;
  const [admin, lost] = [await it.add(tenantId), await withTotp(tenantId)];
  const team = await asTeam(tenantId, (await enter(admin.email)).token);
  await updateUser(it.caller({ atMs }), admin.id, { access: "staff" }, undefined);
  await expect(resetColleagueTotp(team, lost.id, {})).rejects.toMatchObject({ code: "stale_version" });
  expect((await it.row(lost.id)).totp?.confirmedAt).toBeDefined();
});
