import { NewUser, type UserAccess } from "@vitaline/contract";
import { keys, type AuditRow, type UserRow } from "@vitaline/store";
import { storeOf } from "@vitaline/store/scoped.ts";
import { createTenant } from "@vitaline/tenants";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestAws, type TestAws } from "../../test/kit/aws.ts";
import { openMailedToken } from "./mailed-token.ts";
import { changeColleague, createUser, inviteColleague, listTeam, resendColleagueInvite, updateUser, type TeamContext } from "./index.ts";

let it: TestAws;
let one: string;
let two: string;
let people = 0;

beforeAll(async () => {
  it = await startTestAws();
  process.env["MAIL_FROM"] = "Vitaline <no-reply@vitaline.example>";
  const clinic = (name: string) => createTenant(it.platform(), { name, organizationType: "clinic", contactEmail: "x@y.example" });
  [one, two] = (await Promise.all([clinic("One"), clinic("Two")])).map(({ id }) => id) as [string, string];
});
afterAll(() => it.close());

const add = (tenantId: string, access?: UserAccess) =>
  createUser(
    it.platform(),
    NewUser.parse({
      email: `p${people++}@team.example`,
      password: "correct horse battery staple",
      firstName: "Ada",
      lastName: "Byron",
      role: "tenant_admin",
      tenantId,
      access,
    }),
  );
/** As the admin function makes it for a tenant's administrator. */
const by = (tenantId: string, id: string): TeamContext => {
  const ctx = it.inTenant(tenantId, { kind: "user", id, role: "tenant_admin", tenantId });
  return { ...ctx, platform: storeOf(ctx, ["accounts", "throttle", "directory"], tenantId) };
};
const row = async (id: string): Promise<UserRow> => (await it.platform().platform.get(keys.user(id))) as UserRow;
const lastAudit = async (tenantId: string): Promise<AuditRow | undefined> => {
  const month = new Date().toISOString().slice(0, 7);
  const partition = keys.tenantPartitions.audit(tenantId, month, "configuration_change");
  return (await it.inTenant(tenantId).store.query<AuditRow>(partition, { descending: true, limit: 1 })).rows[0];
};
const mailsTo = (email: string): string[] => it.aws.ses.mails().flatMap(({ to, text }) => (to.includes(email) ? [text ?? ""] : []));

test("an invited colleague gets a mail that names the organization, has the chosen access, and is audited", async () => {
  const admin = await add(one);
  const email = `p${people++}@team.example`;
  const invited = await inviteColleague(by(one, admin.id), { email, firstName: "Nora", lastName: "New", access: "staff" });
  expect(invited).toMatchObject({
    email,
    role: "tenant_admin",
    access: "staff",
    tenantId: one,
    tenantName: "One",
    invitedAt: expect.any(String),
  });
  expect(mailsTo(email)).toEqual([expect.stringContaining("One")]);
  expect(await lastAudit(one)).toMatchObject({
    action: "user.create",
    actorId: admin.id,
    resourceId: invited.id,
    detail: { access: "staff" },
  });
  await resendColleagueInvite(by(one, admin.id), invited.id);
  expect(mailsTo(email)).toHaveLength(2);
});

test("an organization sends at most thirty invitations an hour, refused and repeated ones among them, and others still send theirs", async () => {
  const { id: tenantId } = await createTenant(it.platform(), { name: "Many", organizationType: "clinic", contactEmail: "x@y.example" });
  const [admin, other] = [await add(tenantId), await add(two)];
  const now = new Date("2046-03-02T10:20:00Z");
  const own = { ...by(tenantId, admin.id), clock: () => now };
  const person = () => ({ email: `p${people++}@team.example`, firstName: "Nora", lastName: "New", access: "staff" as const });
  const { id } = await inviteColleague(own, person());
  for (let sent = 1; sent < 28; sent++) await inviteColleague(own, person());
  await expect(inviteColleague(own, { ...person(), email: other.email })).rejects.toMatchObject({ code: "duplicate" });
  await resendColleagueInvite(own, id);
  const refusal = { code: "too_many_requests", retryAfterSeconds: 40 * 60 };
  for (const email of [person().email, other.email]) {
    await expect(inviteColleague(own, { ...person(), email })).rejects.toMatchObject(refusal);
    expect(mailsTo(email)).toEqual([]);
  }
  await expect(resendColleagueInvite(own, id)).rejects.toMatchObject(refusal);
  await inviteColleague({ ...by(two, other.id), clock: () => now }, person());
  await inviteColleague({ ...own, clock: () => new Date("2046-03-02T11:00:00Z") }, person());
});

test("an invitation of an address that has an account elsewhere is audited as refused, without the address or whose it is", async () => {
  const [admin, other] = [await add(one), await add(two)];
  const invited = { email: other.email, firstName: "Nora", lastName: "New", access: "staff" as const };
  const refusal = await inviteColleague(by(one, admin.id), invited).catch((error: unknown) => error);
  expect(refusal).toMatchObject({ code: "duplicate", fields: { email: expect.stringContaining("use another address") } });
  expect(JSON.stringify(refusal)).not.toMatch(new RegExp(`${other.id}|Two`));
  const refused = await lastAudit(one);
  expect(refused).toMatchObject({ action: "user.create", actorId: admin.id, success: false, code: "duplicate" });
  expect(JSON.stringify(refused)).not.toMatch(new RegExp(`${other.id}|${other.email}`));
});

test("an invitation of a colleague who is there already, or was removed, says what to do", async () => {
  const [admin, colleague] = [await add(one), await add(one)];
  const invite = () => inviteColleague(by(one, admin.id), { email: colleague.email, firstName: "Nora", lastName: "New", access: "staff" });
  await expect(invite()).rejects.toMatchObject({ code: "duplicate", fields: { email: expect.stringContaining("on your team already") } });
  await changeColleague(by(one, admin.id), colleague.id, { isActive: false });
  await expect(invite()).rejects.toMatchObject({ code: "duplicate", fields: { email: expect.stringContaining("then Restore") } });
});

test("an invitation greets no one with a name that a mail program would show as a link", async () => {
  const admin = await add(one);
  for (const firstName of ["You won https://prize.example", "prize.example/now", "Go to www.prize.example"]) {
    const email = `p${people++}@team.example`;
    await inviteColleague(by(one, admin.id), { email, firstName, lastName: "New", access: "staff" });
    expect(mailsTo(email)).toEqual([expect.stringMatching(/^Hello,/)]);
    expect(mailsTo(email)[0]).not.toContain("prize");
  }
  const email = `p${people++}@team.example`;
  await inviteColleague(by(one, admin.id), { email, firstName: "St. John", lastName: "New", access: "staff" });
  expect(mailsTo(email)).toEqual([expect.stringMatching(/^Hello St\. John,/)]);
});

test("the team is the organization's own users alone, removed ones among them", async () => {
  const [admin, other] = [await add(one), await add(two)];
  const gone = await add(one, "auditor");
  await changeColleague(by(one, admin.id), gone.id, { isActive: false });
  const { rows } = await listTeam(by(one, admin.id), {});
  expect(rows.every(({ tenantId }) => tenantId === one)).toBe(true);
  expect(rows.find(({ id }) => id === gone.id)).toMatchObject({ isActive: false, access: "auditor" });
  expect(rows.map(({ id }) => id)).not.toContain(other.id);
});

test("a new access and a removal end the colleague's sessions, and are audited with the access", async () => {
  const [admin, colleague] = [await add(one), await add(one)];
  expect(await changeColleague(by(one, admin.id), colleague.id, { access: "auditor" })).toMatchObject({ access: "auditor" });
  expect(await row(colleague.id)).toMatchObject({ access: "auditor", epoch: 1 });
  expect(await lastAudit(one)).toMatchObject({
    action: "user.update",
    actorId: admin.id,
    resourceId: colleague.id,
    detail: { access: "auditor" },
  });
  await changeColleague(by(one, admin.id), colleague.id, { access: "administrator" });
  expect(await row(colleague.id)).not.toHaveProperty("access");
  expect((await listTeam(by(one, admin.id), {})).rows.find(({ id }) => id === colleague.id)).not.toHaveProperty("access");
  await changeColleague(by(one, admin.id), colleague.id, { isActive: false });
  expect(await row(colleague.id)).toMatchObject({ isActive: false, epoch: 3 });
  expect(await lastAudit(one)).toMatchObject({ action: "user.deactivate" });
});

test("an invited colleague whose access is changed can still accept the invitation, and is told what it is for", async () => {
  const admin = await add(one);
  const email = `p${people++}@team.example`;
  const { id } = await inviteColleague(by(one, admin.id), { email, firstName: "Nora", lastName: "New", access: "staff" });
  await changeColleague(by(one, admin.id), id, { access: "auditor" });
  const [text = ""] = mailsTo(email);
  expect(text).toContain("to work on the calls and tasks of One");
  const [, token = ""] = /accept-invite\/(\S+)/.exec(text) ?? [];
  expect((await openMailedToken(it.platform(), "invite", token)).user.access).toBe("auditor");
});

test("a user of another organization, and the platform's own, are not found", async () => {
  const admin = await add(one);
  const foreign = await add(two);
  const root = await createUser(
    it.platform(),
    NewUser.parse({
      email: `p${people++}@team.example`,
      password: "correct horse battery staple",
      firstName: "",
      lastName: "",
      role: "system_admin",
    }),
  );
  for (const { id } of [foreign, root]) {
    const before = await row(id);
    await expect(changeColleague(by(one, admin.id), id, { access: "staff" })).rejects.toMatchObject({ code: "not_found" });
    await expect(resendColleagueInvite(by(one, admin.id), id)).rejects.toMatchObject({ code: "not_found" });
    expect(await row(id)).toEqual(before);
  }
});

test("administrators can rename themselves, but neither narrow nor remove themselves", async () => {
  const admin = await add(one);
  const own = by(one, admin.id);
  expect(await changeColleague(own, admin.id, { firstName: "Augusta" })).toMatchObject({ firstName: "Augusta" });
  for (const changes of [{ access: "staff" as const }, { isActive: false }])
    await expect(changeColleague(own, admin.id, changes)).rejects.toMatchObject({ code: "not_doable" });
});

test("of administrators who remove or narrow each other at the same time, one stays", async () => {
  for (const changes of [{ isActive: false }, { access: "staff" as const }]) {
    const { id: tenantId } = await createTenant(it.platform(), { name: "Duel", organizationType: "clinic", contactEmail: "x@y.example" });
    const [left, right] = [await add(tenantId), await add(tenantId)];
    const outcomes = await Promise.allSettled([
      changeColleague(by(tenantId, left.id), right.id, changes),
      changeColleague(by(tenantId, right.id), left.id, changes),
    ]);
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    const rows = await Promise.all([left, right].map(({ id }) => row(id)));
    expect(rows.filter(({ isActive, access }) => isActive && access === undefined)).toHaveLength(1);
  }
});

test("a colleague who was narrowed or removed meanwhile changes no one", async () => {
  const [admin, narrowed, target] = [await add(one), await add(one), await add(one, "staff")];
  await changeColleague(by(one, admin.id), narrowed.id, { access: "staff" });
  const before = await row(target.id);
  await expect(changeColleague(by(one, narrowed.id), target.id, { access: "administrator" })).rejects.toMatchObject({
    code: "stale_version",
  });
  await expect(changeColleague(by(one, narrowed.id), narrowed.id, { access: "administrator" })).rejects.toMatchObject({
    code: "not_doable",
  });
  expect(await row(target.id)).toEqual(before);
});

test("a tenant's administrator who becomes a system administrator has no narrowed access", async () => {
  const user = await add(one, "staff");
  const root = it.platform({ kind: "user", id: "b".repeat(26), role: "system_admin" });
  await updateUser(root, user.id, { role: "system_admin" }, undefined);
  expect(await row(user.id)).not.toHaveProperty("access");
});
