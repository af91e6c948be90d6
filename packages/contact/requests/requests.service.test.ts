import type { OperatorRequestStatus } from "@vitaline/contract";
import { keys, type AuditRow, type OperatorRequestRow, type UnmailedContactRow } from "@vitaline/store";
import { tenantPartitions } from "@vitaline/store/keys.ts";
import { afterEach, beforeEach, expect, test } from "vitest";
import { startTestAws, type TestAws } from "../../../test/kit/aws.ts";
import { answerRequest, createRequest, listOperatorRequests, listRequests, mailUnmailed, replyToRequest } from "../index.ts";

let it: TestAws;
beforeEach(async () => {
  it = await startTestAws();
  Object.assign(process.env, { MAIL_FROM: "no-reply@vitaline.example", SUPPORT_EMAIL: "support@vitaline.example" });
});
afterEach(() => {
  delete process.env["MAIL_FROM"];
  delete process.env["SUPPORT_EMAIL"];
  return it.close();
});

const operator = () => it.platform({ kind: "user", id: "root1", role: "system_admin" });
const ask = (tenantId: string, message = "We use Epic.", kind: "record_system" | "plan" = "record_system") =>
  createRequest(
    it.platform({ kind: "user", id: "admin1", role: "tenant_admin" }),
    { tenantId, tenantName: "Lakeside", userId: "admin1", firstName: "Ann", lastName: "Lee", email: "ann@lakeside.example" },
    { kind, message },
  );
const answer = (tenantId: string, requestId: string, status: OperatorRequestStatus, note?: string, ifMatch?: number) =>
  answerRequest(
    operator(),
    { tenantId, requestId },
    { status, ...(note === undefined ? {} : { note }) },
    { by: "Olga Ops", ...(ifMatch === undefined ? {} : { ifMatch }) },
  );
const reply = (tenantId: string, requestId: string, message: string, ifMatch?: number) =>
  replyToRequest(
    it.platform({ kind: "user", id: "admin2", role: "tenant_admin" }),
    { tenantId, tenantName: "Lakeside", userId: "admin2", firstName: "Bo", lastName: "Day", email: "bo@lakeside.example" },
    requestId,
    { message, ifMatch },
  );
const own = async (tenantId: string) => (await listRequests(it.inTenant(tenantId), {})).rows;
const shown = async (closed: boolean) => (await listOperatorRequests(operator(), { closed })).rows;
const due = async () => (await it.platform().platform.query<UnmailedContactRow>(keys.partitions.unmailedContact)).rows;
const told = async (tenantId: string) =>
  (
    await it
      .platform()
      .platform.query<AuditRow>(tenantPartitions.audit(tenantId, new Date().toISOString().slice(0, 7), "configuration_change"))
  ).rows;
const mailsTo = (address: string) => it.aws.ses.mails().filter(({ to }) => to.includes(address));

test("a request is seen by the tenant that asked and by operators, is mailed to support, and is sealed", async () => {
  const [mine, others] = it.tenants;
  await ask(mine);
  expect(await own(mine)).toMatchObject([{ kind: "record_system", status: "open", message: "We use Epic.", requestedBy: "Ann Lee" }]);
  expect(await own(others)).toEqual([]);
  expect(await shown(false)).toMatchObject([{ tenantId: mine, tenantName: "Lakeside", email: "ann@lakeside.example", answers: [] }]);
  const mail = mailsTo("support@vitaline.example").at(-1)!;
  expect(mail.subject).toBe("A request from an organization: Record system");
  expect(mail.text).toMatch(/Organization: Lakeside\nTopic: Record system\n\nWe use Epic\.\n\n.*Requests:\n.*\/admin\?tab=audit#requests$/);
  const { rows } = await it.platform().platform.query<OperatorRequestRow>(keys.partitions.requests("open"));
  expect(JSON.stringify([rows, await told(mine)])).not.toMatch(/Epic|Ann/);
});

test("each answer is kept and mailed to who asked; the tenant reads it without the operator's name", async () => {
  const [mine] = it.tenants;
  const { id } = await ask(mine);
  await answer(mine, id, "in_progress");
  await answer(mine, id, "declined", "Epic needs your own contract.");
  expect(await own(mine)).toMatchObject([
    {
      status: "declined",
      answers: [
        { status: "in_progress", note: null },
        { status: "declined", note: "Epic needs your own contract." },
      ],
    },
  ]);
  expect(JSON.stringify(await own(mine))).not.toContain("Olga");
  expect((await shown(true))[0]!.answers.map(({ by }) => by)).toEqual(["Olga Ops", "Olga Ops"]);
  expect(mailsTo("ann@lakeside.example").map(({ subject }) => subject)).toEqual([
    "Your request is in progress",
    "Your request is declined",
  ]);
  expect(mailsTo("ann@lakeside.example")[1]!.text).toContain("Epic needs your own contract.");
  expect(await due()).toEqual([]);
});

test("a request moves between the open and the closed ones, and is in one of them", async () => {
  const [mine] = it.tenants;
  const { id } = await ask(mine);
  const where = async () => [(await shown(false)).length, (await shown(true)).length];
  expect(await where()).toEqual([1, 0]);
  await answer(mine, id, "done");
  expect(await where()).toEqual([0, 1]);
  await answer(mine, id, "open");
  expect(await where()).toEqual([1, 0]);
});

test("of two operators on one request the later is refused and loses no note of the other", async () => {
  const [mine] = it.tenants;
  const { id, version } = await ask(mine);
  await answer(mine, id, "in_progress", "Mine.", version);
  await expect(answer(mine, id, "done", "Also mine.", version)).rejects.toMatchObject({ code: "stale_version" });
  // Without a version each is put on top of the others.
  await Promise.all(["a", "b", "c"].map((note) => answer(mine, id, "in_progress", note)));
  const [request] = await own(mine);
  expect(request!.answers.map(({ note }) => note).toSorted()).toEqual(["Mine.", "a", "b", "c"]);
  expect(request!.version).toBe(5);
});

test("the change is in the tenant's audit with its status, without the words; another tenant's has nothing", async () => {
  const [mine, others] = it.tenants;
  const { id } = await ask(mine);
  await answer(mine, id, "done", "Secret words.");
  expect(await told(mine)).toMatchObject([
    { action: "fhirProvider.request", actorId: "admin1", detail: { operatorRequest: id } },
    { action: "operatorRequest.change", actorId: "root1", resourceId: id, detail: { status: "done", version: 2 } },
  ]);
  expect(JSON.stringify(await told(mine))).not.toContain("Secret");
  expect(await told(others)).toEqual([]);
});

test("the organization replies to a question: the request is open again, support gets a mail, and both see who said what", async () => {
  const [mine, others] = it.tenants;
  const { id } = await ask(mine);
  await answer(mine, id, "done", "Which Epic?");
  const replied = await reply(mine, id, "Epic of 2025.", 2);
  expect(replied).toMatchObject({
    ...{ status: "open", version: 3 },
    answers: [
      { from: "platform", by: null, status: "done", note: "Which Epic?" },
      { from: "organization", by: "Bo Day", status: "open", note: "Epic of 2025." },
    ],
  });
  expect(await own(mine)).toEqual([replied]);
  expect((await shown(false))[0]!.answers.map(({ by, from }) => [by, from])).toEqual([
    ["Olga Ops", "platform"],
    ["Bo Day", "organization"],
  ]);
  expect([(await shown(true)).length, await own(others)]).toEqual([0, []]);
  expect(mailsTo("support@vitaline.example").at(-1)).toMatchObject({
    subject: "An organization replied to its request: Record system",
    text: expect.stringMatching(
      /^From: Bo Day <bo@lakeside\.example>[^]*\n\nReply to the request “Record system” of \w+ \d+, \d{4}:\n\nEpic of 2025\.\n/,
    ),
  });
  const { rows } = await it.platform().platform.query<OperatorRequestRow>(keys.partitions.requests("open"));
  const audits = await told(mine);
  expect(JSON.stringify([rows, audits])).not.toMatch(/2025|Bo Day/);
  expect(audits.at(-1)).toMatchObject({
    ...{ action: "operatorRequest.reply", actorId: "admin2", resourceId: id },
    detail: { status: "open", version: 3 },
  });
});

test("a reply to what was not seen is refused, as is one under another tenant or after five messages in an hour", async () => {
  const [mine, others] = it.tenants;
  const { id } = await ask(mine);
  await answer(mine, id, "in_progress");
  await expect(reply(mine, id, "Late.", 1)).rejects.toMatchObject({ code: "stale_version" });
  await expect(reply(others, id, "Not mine.")).rejects.toMatchObject({ code: "not_found" });
  expect((await own(mine))[0]!.answers).toHaveLength(1);
  const sent = await Promise.allSettled(Array.from({ length: 6 }, (_, at) => reply(mine, id, `Number ${at}`)));
  expect(sent.flatMap((one) => (one.status === "rejected" ? [(one.reason as { code: string }).code] : []))).toContain("too_many_requests");
  expect((await own(mine))[0]!.answers.length).toBeLessThanOrEqual(5);
});

test("a reply that has to be put on top of another one is one message of the hour", async () => {
  const [mine] = it.tenants;
  const { id } = await ask(mine);
  let isFirst = true;
  it.fault(async ({ operation }) => {
    if (operation !== "TransactWriteItems" || !isFirst) return undefined;
    isFirst = false;
    await answer(mine, id, "in_progress", "Faster.");
    return undefined;
  });
  for (let at = 0; at < 4; at++) await reply(mine, id, `Number ${at}`);
  expect((await own(mine))[0]!.answers.map(({ note }) => note)).toEqual(["Faster.", ...[0, 1, 2, 3].map((at) => `Number ${at}`)]);
});

test("a request is found under its own tenant alone", async () => {
  const [mine, others] = it.tenants;
  const { id } = await ask(mine);
  await expect(answer(others, id, "done")).rejects.toMatchObject({ code: "not_found" });
  expect((await own(mine))[0]!.status).toBe("open");
});

test("while mail cannot be sent the answer is kept, and mailed once when it can again, even without a support address", async () => {
  const [mine] = it.tenants;
  const { id } = await ask(mine);
  it.fault(({ service }) => (service === "ses" ? { status: 400, code: "SendingPausedException", message: "x" } : undefined));
  await answer(mine, id, "done", "It is connected.");
  expect((await own(mine))[0]!.status).toBe("done");
  expect(JSON.stringify(await due())).not.toMatch(/ann@|connected/);
  it.fault();
  delete process.env["SUPPORT_EMAIL"];
  for (let run = 0; run < 2; run++) await mailUnmailed(it.platform());
  expect(mailsTo("ann@lakeside.example")).toHaveLength(1);
  expect(await due()).toEqual([]);
});

test("operators' reading is audited with the number of rows; lists are paged with one query", async () => {
  const [mine] = it.tenants;
  for (const message of ["first", "second", "third"]) await ask(mine, message, "plan");
  it.resetUsage();
  const page = await listOperatorRequests(operator(), { closed: false, limit: 2 });
  expect(it.usage().map(({ operation }) => operation)).toEqual(["Query", "PutItem"]);
  expect(page.rows.map(({ message }) => message)).toEqual(["third", "second"]);
  const next = await listRequests(it.inTenant(mine), { limit: 2, kind: "plan" });
  expect(next.rows.map(({ message }) => message)).toEqual(["third", "second"]);
  expect((await listRequests(it.inTenant(mine), { kind: "record_system" })).rows).toEqual([]);
});
