import type { Key } from "@vitaline/store/keys.ts";
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { ListObjectsV2Command, S3Client } from "@aws-sdk/client-s3";
import { DeleteCommand, DynamoDBDocumentClient, PutCommand, ScanCommand, UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { getSealedFile, putSealedFile, seal, storeFhirSecret, unseal } from "@vitaline/aws";
import { feedRow } from "@vitaline/audit";
import { keepEvent, readCall, recordCallEvent, recordToolUse } from "@vitaline/calls";
import { defaultRetention } from "@vitaline/contract";
import { newId, utcDate, type Actor } from "@vitaline/core";
import { messageDetail, sendMessage } from "@vitaline/messages";
import { approveProxy, chartHash, listProxies } from "@vitaline/proxies";
import {
  create,
  keys,
  put,
  remove,
  toDoIdOfCall,
  update,
  type AuditRow,
  type CallRow,
  type ErasureRow,
  type DeliverySource,
  type LeadRow,
  type TaskRow,
  type ToDoRow,
} from "@vitaline/store";
import type { PlatformContext } from "@vitaline/store/platform.ts";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createTenant, updateTenant } from "@vitaline/tenants";
import { startTestAws, type TestAws } from "../../test/kit/aws.ts";
import { verifySignature } from "./certificate.ts";
import {
  approveErasure,
  cancelErasure,
  listErasures,
  resumeErasure,
  readErasure,
  requestErasure,
  runErasure,
  verifyErasures,
} from "./index.ts";

const bucket = "vitaline-test-files";
const dayMs = 86_400_000;
let it: TestAws;
let db: DynamoDBDocumentClient;
beforeAll(async () => {
  it = await startTestAws();
  await it.aws.s3.ensureBucket({ name: bucket, versioned: true });
  db = DynamoDBDocumentClient.from(new DynamoDBClient({}), { marshallOptions: { removeUndefinedValues: true } });
});
afterAll(() => it.close());

const administrator = (id: string): Actor => ({ kind: "user", id, role: "system_admin" });
const as = (id: string): PlatformContext => it.platform(administrator(id));
/** Without the pause between two passes. */
const system = (): PlatformContext => ({ ...it.platform({ kind: "system", id: "erase" }), pause: async () => {} });

const words = "my knee hurts since Tuesday";
const asked = { reason: "patient_request" } as const;
let [one, two] = ["", ""];

/** Two tenants with calls about the same patient id. */
beforeEach(async () => {
  const made = await Promise.all(
    ["Clinic One", "Clinic Two"].map((name) =>
      createTenant(as("maker"), { name, contactEmail: `office@${newId()}.example`, organizationType: "clinic" }),
    ),
  );
  [one, two] = made.map(({ id }) => id) as [string, string];
});

/** A call with content, tool runs, a follow-up note, messages, a lead and a task. */
const callOf = async (tenantId: string, patientId: string, callId: string = newId()): Promise<string> => {
  const ctx = it.inTenant(tenantId, { kind: "api_key", id: "key", tenantId });
  const endedAt = new Date().toISOString();
  await recordCallEvent(ctx, {
    platform: "vapi",
    callId,
    status: "completed",
    endedReason: "customer-ended-call",
    startedAt: new Date(Date.now() - 60_000).toISOString(),
    endedAt,
    summary: words,
    transcript: { text: words },
    callerNumber: "+16175550101",
  });
  const callKey = keys.callKeyOf("vapi", callId);
  const at = endedAt;
  const sealed = (about: object) => seal("phi", tenantId, JSON.stringify(about));
  const leadId = newId();
  const taskId = newId();
  const messageId = newId();
  const expiresAt = Math.ceil((Date.now() + 300 * dayMs) / 1000);
  await ctx.store.commit(
    [
      create<LeadRow>(keys.lead(leadId), { id: leadId, at, callKey, reason: "other", sealed: await sealed({ name: "Jane" }), expiresAt }),
      create<TaskRow>(keys.task(taskId), {
        id: taskId,
        at,
        kind: "message",
        dueAt: at,
        sealed: await sealed({ tool: "sendCommunicationFhir", patientId, fhirProviderId: "p".repeat(26) }),
        version: 1,
        expiresAt,
      }),
    ],
    {
      category: "patient_access",
      action: "tool.sendSMS",
      resourceType: "Patient",
      resourceId: patientId,
      callKey,
      detail: { messageId, fhirProviderId: "p".repeat(26), tool: "sendSMS" },
    },
  );
  const all = it.platform({ kind: "system", id: "project" }).platform.inTenant(tenantId);
  await all.writeUnaudited(
    put(keys.message(messageId), {
      id: messageId,
      at,
      channel: "sms",
      purpose: "reminder",
      status: "sent",
      rank: 4,
      expiresAt: Date.now(),
    } as never),
  );
  const { numberHash = "", startedAt } = (await ctx.store.get<CallRow>(keys.call(callKey))) ?? { startedAt: "" };
  await all.writeUnaudited(put(keys.callOfNumber(numberHash, startedAt, callKey), { callKey, expiresAt }));
  const runId = newId();
  await all.writeUnaudited(
    put(keys.toolRun(callKey, runId), {
      ...{ id: runId, tool: "sendSMS", at, ms: 1, success: true, requestId: "r", callKey, expiresAt },
    }),
  );
  return callKey;
};

const provider = async (ownerTenantId?: string): Promise<void> => {
  await as("maker").platform.commit([put(keys.fhirProvider("p".repeat(26)), { id: "p".repeat(26), name: "EHR", ownerTenantId } as never)], {
    category: "configuration_change",
    action: "test",
    resourceType: "Test",
  });
};

const linesAt = async (urls: readonly string[] | null): Promise<Record<string, unknown>[]> => {
  const files = await Promise.all((urls ?? []).map(async (url) => (await fetch(url)).text()));
  return files.flatMap((text) => text.trim().split("\n")).map((line) => JSON.parse(line) as Record<string, unknown>);
};

const everything = async (): Promise<Record<string, unknown>[]> => {
  const rows: Record<string, unknown>[] = [];
  for (let from: Record<string, never> | undefined, more = true; more; more = from !== undefined) {
    const page = await db.send(new ScanCommand({ TableName: process.env["TABLE_NAME"], ExclusiveStartKey: from }));
    rows.push(...(page.Items ?? []));
    from = page.LastEvaluatedKey as never;
  }
  return rows;
};
const rowsOf = async (tenantId: string): Promise<string[]> =>
  (await everything()).flatMap(({ pk, sk }) =>
    String(pk).startsWith(`TENANT#${tenantId}#`) ? [`${String(pk).split("#").slice(2).join("#")}|${String(sk)}`] : [],
  );
const filesIn = async (folder: string): Promise<string[]> =>
  ((await new S3Client({}).send(new ListObjectsV2Command({ Bucket: bucket, Prefix: folder }))).Contents ?? []).map(({ Key = "" }) => Key);
const filesOf = (tenantId: string): Promise<string[]> => filesIn(`calls/${tenantId}/`);

describe("an erasure of a call", () => {
  test("C06: deletes its content, files, leads and tool runs, and keeps the fields that totals depend on", async () => {
    const [callKey, other] = [await callOf(one, "pat-1"), await callOf(one, "pat-1")];
    const foreign = await callOf(two, "pat-1");
    const { id } = await requestErasure(as("anna"), one, { kind: "call", callId: callKey, ...asked });
    await runErasure(system(), id);
    expect(await readErasure(as("anna"), id)).toMatchObject({ status: "waiting", copy: null });
    expect(await filesOf(one)).toHaveLength(2);
    await approveErasure(as("ben"), id);
    await runErasure(system(), id);
    const erasure = await readErasure(as("anna"), id);
    expect(erasure).toMatchObject({
      status: "done",
      requestedBy: "anna",
      approvedBy: "ben",
      // One more: the call state
      erased: { calls: 1, files: 1, leads: 1, toolRuns: 1, tasks: 0, messages: 0, users: 0, others: 1 },
    });
    await expect(readCall(it.inTenant(one), callKey)).rejects.toMatchObject({ code: "not_found" });
    const left = await it.inTenant(one).store.get<CallRow>(keys.call(callKey));
    expect(left).toMatchObject({ callKey, platform: "vapi", status: "completed", forwarded: false, durationSeconds: 60, erasureId: id });
    expect(Object.keys(left ?? {})).not.toEqual(expect.arrayContaining(["transcript"]));
    expect(JSON.stringify(left)).not.toContain("customer-ended");
    expect(await filesOf(one)).toEqual([expect.stringContaining(other)]);
    expect((await readCall(it.inTenant(two), foreign)).summary).toBe(words);
    expect((await rowsOf(one)).filter((row) => row.includes(callKey))).toEqual([`CALL#${callKey}|CALL`]);
    expect((await rowsOf(one)).filter((row) => row.startsWith("NUMBER#"))).toHaveLength(1);
  });

  test("C06: is not undone by a late or repeated event, or by a late tool run: their data is erased again", async () => {
    const callId = newId();
    const callKey = await callOf(one, "pat-1", callId);
    const { id } = await requestErasure(as("anna"), one, { kind: "call", callId: callKey, ...asked });
    await runErasure(system(), id);
    await approveErasure(as("ben"), id);
    await runErasure(system(), id);
    await callOf(one, "pat-2", callId);
    await it
      .platform()
      .platform.inTenant(one)
      .writeUnaudited(
        recordToolUse(
          { tenantId: one, timeZone: "UTC" },
          { callKey, platform: "vapi", firstRunAt: new Date().toISOString(), tools: ["sendSMS"] },
          defaultRetention,
        ),
      );
    expect(await filesOf(one)).toHaveLength(1);
    const due = (await everything()).filter(({ pk, kind }) => String(pk).startsWith("PLATFORM#DUE#") && kind === "erasure");
    expect(due.some((row) => row["id"] === id)).toBe(true);
    await runErasure(system(), id);
    expect(await filesOf(one)).toEqual([]);
    const left = await it.inTenant(one).store.get<CallRow>(keys.call(callKey));
    expect(left).toMatchObject({ erasureId: id, gsi1pk: keys.tenantPartitions.erasedCalls(one) });
    expect(left).not.toHaveProperty("summary");
    expect(left).not.toHaveProperty("toolsUsed");
  });

  test("C06: is rejected for a call in progress, of another tenant, or already erased", async () => {
    const foreign = await callOf(two, "pat-1");
    const request = (callId: string) => requestErasure(as("anna"), one, { kind: "call", callId, ...asked });
    await expect(request(foreign)).rejects.toMatchObject({ code: "invalid_request", fields: { callId: expect.any(String) } });
    const ctx = it.inTenant(one);
    await recordCallEvent(ctx, { platform: "vapi", callId: "going-on", status: "in_progress" });
    await expect(request(keys.callKeyOf("vapi", "going-on"))).rejects.toMatchObject({ code: "not_doable" });
    await expect(requestErasure(as("anna"), newId(), { kind: "call", callId: foreign, ...asked })).rejects.toMatchObject({
      code: "not_found",
    });
  });
});

describe("an erasure of a patient's data", () => {
  test("C06: deletes every call, task, lead and message of the patient, and nothing of another patient or tenant", async () => {
    await provider();
    const [first, second, other] = [await callOf(one, "pat-1"), await callOf(one, "pat-1"), await callOf(one, "pat-2")];
    const foreign = await callOf(two, "pat-1");
    const { id } = await requestErasure(as("anna"), one, { kind: "patient", fhirProviderId: "p".repeat(26), patientId: "pat-1", ...asked });
    await approveErasure(as("ben"), id);
    await runErasure(system(), id);
    const copy = await readErasure(as("anna"), id, { withCopy: true });
    const lines = await linesAt(copy.copyUrls);
    expect(
      lines
        .filter(({ type }) => type === "call")
        .map(({ callKey }) => callKey)
        .toSorted(),
    ).toEqual([first, second].toSorted());
    expect(JSON.stringify(lines)).toContain(words);
    expect(JSON.stringify(lines)).not.toContain("pat-2");
    expect(lines).toHaveLength(copy.copy?.lines ?? 0);
    expect((await readErasure(as("anna"), id)).erased).toMatchObject({ calls: 2, files: 2, leads: 2, tasks: 2, messages: 2, toolRuns: 2 });
    expect((await readCall(it.inTenant(one), other)).summary).toBe(words);
    expect((await readCall(it.inTenant(two), foreign)).summary).toBe(words);
    const audits = (await everything()).filter(({ action }) => String(action).startsWith("erasure.")) as AuditRow[];
    expect(audits.length).toBeGreaterThan(5);
    for (const row of audits) expect(JSON.stringify([feedRow(row), row.detail])).not.toContain("pat-1");
    const left = await rowsOf(one);
    for (const list of ["LEADS", "TASKS", "MESSAGES"]) expect(left.filter((row) => row.startsWith(list))).toHaveLength(1);
  });
});

const patientOf = (patientId: string, fhirProviderId = "p".repeat(26)) =>
  ({ kind: "patient", fhirProviderId, patientId, ...asked }) as const;
const done = async (tenantId: string, body: Parameters<typeof requestErasure>[2]): Promise<string> => {
  const { id } = await requestErasure(as("anna"), tenantId, body);
  await approveErasure(as("ben"), id);
  await runErasure(system(), id);
  expect((await readErasure(as("anna"), id)).status).toBe("done");
  return id;
};
const audited = (tenantId: string, resourceId: string, more: { callKey?: string; detail: Record<string, string> }): Promise<void> =>
  it.inTenant(tenantId).store.commit([], { category: "patient_access", action: "test.act", resourceType: "Patient", resourceId, ...more });

describe("approvals to speak for an erased patient", () => {
  const robin = { patientFirstName: "Robin", patientLastName: "Sample", patientBirthDate: "2017-03-04", medicalRecordNumber: "MRN 17" };
  const approve = (tenantId: string, name: string, change: object = {}) =>
    approveProxy(it.inTenant(tenantId), {
      people: { name, phone: "617 555 0181", ...robin, ...change },
      ...{ relationship: "parent", scope: "all", validUntil: utcDate(Date.now() + dayMs) },
    });
  const left = async (tenantId: string) => (await listProxies(it.inTenant(tenantId), {})).rows.map(({ id }) => id).toSorted();
  const listsOf = async (tenantId: string): Promise<number> => {
    const ctx = it.inTenant(tenantId);
    return (await ctx.store.query(keys.tenantPartitions.proxiesOfPatients(tenantId))).rows.length;
  };
  const copyOf = async (id: string) => JSON.stringify(await linesAt((await readErasure(as("anna"), id, { withCopy: true })).copyUrls));
  const fhirProviderId = "p".repeat(26);

  test("are deleted with those who spoke, also of those who never did, and are in the copy and the count", async () => {
    await provider();
    const [spoke] = [await approve(one, "Nora Spoke"), await approve(one, "Otto Silent")];
    const other = await approve(one, "Vera Other", { medicalRecordNumber: "18" });
    // The same number at another record system of the tenant.
    const namesake = await approve(one, "Walt Namesake", { patientBirthDate: "1950-01-02" });
    const elsewhere = await approve(two, "Ed Elsewhere");
    const callKey = await callOf(one, "pat-1");
    await audited(one, "pat-1", { callKey, detail: { fhirProviderId, proxyId: spoke.id } });
    const id = await done(one, patientOf("pat-1"));
    expect([await left(one), await left(two)]).toEqual([[other.id, namesake.id].toSorted(), [elsewhere.id]]);
    const copied = await copyOf(id);
    for (const name of ["Nora Spoke", "Otto Silent"]) expect(copied).toContain(name);
    expect(copied).not.toMatch(/Vera Other|Walt Namesake|Ed Elsewhere/);
    // And the state of the call.
    expect((await readErasure(as("anna"), id)).erased).toMatchObject({ others: 3 });
  });

  test("are deleted where none of them ever spoke, by the chart that the patient's own calls were verified with", async () => {
    await provider();
    const [silent, other] = [await approve(one, "Otto Silent"), await approve(one, "Vera Other", { medicalRecordNumber: "18" })];
    expect(silent.id).not.toBe(other.id);
    const charts = [chartHash(one, "99", robin.patientBirthDate), chartHash(one, "17", robin.patientBirthDate)].join(" ");
    await audited(one, "pat-1", { callKey: await callOf(one, "pat-1"), detail: { fhirProviderId, charts } });
    await audited(one, "pat-2", {
      callKey: await callOf(one, "pat-2"),
      detail: { fhirProviderId, charts: chartHash(one, "18", robin.patientBirthDate) },
    });
    const id = await done(one, patientOf("pat-1"));
    expect([await left(one), await listsOf(one)]).toEqual([[other.id], 1]);
    expect(await copyOf(id)).toContain("Otto Silent");
    // The approval, the list that the patient's approvals are found by, and the state of the call.
    expect((await readErasure(as("anna"), id)).erased).toMatchObject({ others: 3 });
  });

  test("the lists of other patients whose approvals are gone stay, and are not in the count", async () => {
    await provider();
    const spoke = await approve(one, "Nora Spoke");
    const other = await approve(one, "Vera Other", { medicalRecordNumber: "18" });
    await it
      .platform()
      .platform.inTenant(one)
      .commit([remove(keys.proxy(other.id))], {
        ...{ category: "patient_access", action: "test.expire", resourceType: "Proxy", resourceId: other.id },
      });
    expect(await listsOf(one)).toBe(2);
    const callKey = await callOf(one, "pat-1");
    await audited(one, "pat-1", { callKey, detail: { fhirProviderId, proxyId: spoke.id } });
    const id = await done(one, patientOf("pat-1"));
    expect([await left(one), await listsOf(one)]).toEqual([[], 1]);
    // The approval, its list, and the state of the call.
    expect((await readErasure(as("anna"), id)).erased).toMatchObject({ others: 3 });
  });

  test("are deleted by the number and birth date of the request, where the patient never called; no record keeps either", async () => {
    await provider();
    await approve(one, "Otto Silent");
    const namesake = await approve(one, "Walt Namesake", { patientBirthDate: "1950-01-02" });
    const chart = { medicalRecordNumber: "mrn-17", birthDate: robin.patientBirthDate };
    for (const half of [{ medicalRecordNumber: "17" }, { birthDate: robin.patientBirthDate }])
      await expect(requestErasure(as("anna"), one, { ...patientOf("pat-9"), ...half })).rejects.toMatchObject({ code: "invalid_request" });
    const id = await done(one, { ...patientOf("pat-9"), ...chart });
    expect(await left(one)).toEqual([namesake.id]);
    expect(await copyOf(id)).toContain("Otto Silent");
    const kept = (await it.platform().platform.get<ErasureRow>(keys.erasure(id)))!;
    expect(kept.erased).toMatchObject({ others: 1 });
    expect(JSON.stringify([kept, await readErasure(as("anna"), id)])).not.toMatch(/\bmrn\b|2017-03-04/i);
    const claims = verifySignature(kept.certificate!.key, kept.certificate!.jws);
    expect(claims).not.toHaveProperty("chartHash");
  });
});

describe("other patients in the same records", () => {
  test("C06: a late event of an erased call does not delete later data of the patient", async () => {
    await provider();
    const callId = newId();
    await callOf(one, "pat-1", callId);
    const id = await done(one, patientOf("pat-1"));
    const since = await callOf(one, "pat-1");
    await recordCallEvent(it.inTenant(one), {
      platform: "vapi",
      callId,
      status: "completed",
      endedReason: "again",
      transcript: { text: words },
    });
    await runErasure(system(), id);
    expect((await readCall(it.inTenant(one), since)).summary).toBe(words);
    expect(await filesOf(one)).toHaveLength(1);
  });

  test("C06: the work about a patient is erased from the list, with what staff noted, which the copy has; that about others stays", async () => {
    await provider();
    const [mine, others] = [await callOf(one, "pat-1"), await callOf(one, "pat-2")];
    const ctx = it.inTenant(one);
    /** Puts the call, its lead and its task on the list, each with a note. */
    const listed = async (callKey: string, patientId: string): Promise<string[]> => {
      const { rows: leads } = await ctx.store.query<LeadRow>(keys.tenantPartitions.leads(one));
      const { rows: tasks } = await ctx.store.query<TaskRow>(keys.tenantPartitions.tasks(one));
      const abouts = await Promise.all(tasks.map(async ({ sealed }) => unseal("phi", one, sealed)));
      const call = (await ctx.store.get<CallRow>(keys.call(callKey)))!;
      const lead = leads.find((row) => row.callKey === callKey)!;
      const task = tasks.find((_, at) => abouts[at]?.includes(patientId))!;
      const of = [
        { id: toDoIdOfCall(call), source: "call", sourceId: callKey, kind: "unresolved_call" },
        { id: lead.id, source: "lead", sourceId: lead.id, kind: "lead" },
        { id: task.id, source: "task", sourceId: task.id, kind: "message" },
      ] as const;
      for (const item of of) {
        const at = call.startedAt;
        const sealedNote = await seal("phi", one, `Noted on ${patientId}`);
        const row = { ...item, at, dueAt: at, sourceVersion: 1, sealedNote, expiresAt: call.expiresAt, gsi1pk: "x", gsi1sk: item.id };
        await ctx.store.writeUnaudited(put(keys.toDo(item.id), row));
      }
      return of.map(({ id }) => id);
    };
    const [gone, kept] = [await listed(mine, "pat-1"), await listed(others, "pat-2")];
    const id = await done(one, patientOf("pat-1"));
    const left = await ctx.store.query<ToDoRow>(keys.tenantPartitions.toDo(one));
    expect(left.rows.map((row) => row.id).toSorted()).toEqual(kept.toSorted());
    expect(gone).toHaveLength(3);
    const copy = JSON.stringify(await linesAt((await readErasure(as("anna"), id, { withCopy: true })).copyUrls));
    expect(copy.match(/Noted on pat-1/g)).toHaveLength(3);
    expect(copy).not.toContain("Noted on pat-2");
  });

  test("C06: the same id at two record systems of a tenant is two patients", async () => {
    await provider();
    const other = await callOf(one, "someone-else");
    const elsewhere = "q".repeat(26);
    await audited(one, "pat-1", { callKey: other, detail: { fhirProviderId: elsewhere } });
    await audited(one, "pat-1", { callKey: other, detail: { messageId: newId() } });
    await done(one, patientOf("pat-1"));
    expect((await readCall(it.inTenant(one), other)).summary).toBe(words);
  });

  test("C06: for a call about two patients, the other patient's tasks, messages and reminders stay", async () => {
    await provider();
    const callId = newId();
    const callKey = await callOf(one, "pat-1", callId);
    await callOf(one, "pat-2", callId);
    const waiting = (appointmentId: string, dueAt: string) =>
      it.inTenant(one).store.writeUnaudited(
        put(keys.outgoing("0", dueAt, "reminder", appointmentId), {
          ...{
            kind: "reminder",
            tenantId: one,
            id: appointmentId,
            dueAt,
            providerId: "p".repeat(26),
            appointmentId,
            start: dueAt,
            callKey,
          },
          expiresAt: Math.ceil((Date.now() + dayMs) / 1000),
        }),
      );
    await waiting("visit-1", "2030-01-01T00:00:00.000Z");
    await waiting("visit-2", "2030-01-02T00:00:00.000Z");
    for (const [patient, appointmentId] of [
      ["pat-1", "visit-1"],
      ["pat-2", "visit-2"],
    ] as const)
      await audited(one, patient, { callKey, detail: { fhirProviderId: "p".repeat(26), appointmentId } });
    await done(one, patientOf("pat-1"));
    const left = await rowsOf(one);
    for (const list of ["TASKS", "MESSAGES"]) expect(left.filter((row) => row.startsWith(list))).toHaveLength(1);
    const reminders = (await everything()).filter(({ pk, tenantId }) => String(pk).startsWith("PLATFORM#OUTGOING") && tenantId === one);
    expect(reminders.map(({ appointmentId }) => appointmentId)).toEqual(["visit-2"]);
    expect(await filesOf(one)).toEqual([]);
  });
});

describe("other data of a call", () => {
  test("C06: kept events are deleted by their call, not by ids in their text", async () => {
    const callKey = await callOf(one, "pat-1", "7");
    await keepEvent(it.inTenant(one), { from: "vapi", body: "{}", callKey }, "test");
    await keepEvent(it.inTenant(one), { from: "vapi", body: '{"id":"17"}', callKey: keys.callKeyOf("vapi", "17") }, "test");
    await done(one, { kind: "call", callId: callKey, ...asked });
    const left = (await everything()).filter(({ pk }) => pk === `TENANT#${one}#INBOX`);
    expect(left.map((row) => row["callKey"])).toEqual([keys.callKeyOf("vapi", "17")]);
  });

  test("C06: deliveries of its events are deleted, for every kind of source row", async () => {
    const callKey = await callOf(one, "pat-1");
    const month = new Date().toISOString().slice(0, 7);
    await it
      .inTenant(one)
      .store.commit([], { category: "api_call", action: "tool.logRoutingEvent", resourceType: "Lead", resourceId: "x", callKey });
    const { rows } = await it.inTenant(one).store.query<AuditRow>(keys.tenantPartitions.audit(one, month, "api_call"));
    const delivery = (id: string, source: DeliverySource) =>
      it
        .inTenant(one)
        .store.writeUnaudited(
          put(keys.delivery(id), { id, source, sealed: "x", expiresAt: Math.ceil((Date.now() + dayMs) / 1000) } as never),
        );
    await delivery("d1", { kind: "call", callKey });
    await delivery("d2", { kind: "audit", month, category: "api_call", id: rows[0]?.id ?? "" });
    await delivery("d3", { kind: "call", callKey: "another" });
    await delivery("d4", { kind: "task", taskId: newId(), version: 2, callKey });
    await done(one, { kind: "call", callId: callKey, ...asked });
    expect((await rowsOf(one)).filter((row) => row.startsWith("DELIVERIES"))).toEqual(["DELIVERIES|d3"]);
  });

  test("C06: data that staff write during the erasure is deleted too, and so is an expired call", async () => {
    await provider();
    const [first, over] = [await callOf(one, "pat-1"), await callOf(one, "pat-1")];
    const id = await done(one, patientOf("pat-1"));
    await db.send(
      new UpdateCommand({
        TableName: process.env["TABLE_NAME"],
        Key: keys.call(first).primaryKeyIn(one),
        UpdateExpression: "SET followUp = :note",
        ExpressionAttributeValues: { ":note": { sealedNote: "x" } },
      }),
    );
    await runErasure(system(), id);
    expect(await it.inTenant(one).store.get(keys.call(first))).not.toHaveProperty("followUp");
    expect((await it.inTenant(one).store.get<CallRow>(keys.call(over)))?.erasureId).toBe(id);

    const past = await callOf(one, "pat-3");
    await db.send(
      new UpdateCommand({
        TableName: process.env["TABLE_NAME"],
        Key: keys.call(past).primaryKeyIn(one),
        UpdateExpression: "SET expiresAt = :past",
        ExpressionAttributeValues: { ":past": 1 },
      }),
    );
    await done(one, patientOf("pat-3"));
    expect((await rowsOf(one)).filter((row) => row.includes(past))).toEqual([]);
  });

  test("C06: a patient's call in progress is erased after its end, and counts as a call", async () => {
    await provider();
    await recordCallEvent(it.inTenant(one), { platform: "vapi", callId: "live-1", status: "in_progress" });
    const callKey = keys.callKeyOf("vapi", "live-1");
    await audited(one, "pat-1", { callKey, detail: { fhirProviderId: "p".repeat(26) } });
    const { id } = await requestErasure(as("anna"), one, patientOf("pat-1"));
    await approveErasure(as("ben"), id);
    await runErasure(system(), id);
    expect((await readErasure(as("anna"), id)).status).toBe("erasing");
    await runErasure({ ...system(), clock: () => new Date(Date.now() + 7 * 3_600_000) }, id);
    expect((await readErasure(as("anna"), id)).status).toBe("done");
    expect(await it.inTenant(one).store.get(keys.call(callKey))).toMatchObject({ status: "unknown", endSeenAt: expect.any(String) });
  });
});

/** Rows that cannot be listed. Each expires within days, and has only keyed hashes, ids or sealed text. */
const endByThemselves = ["idempotency", "contactChanges", "personLock", "counter", "sentTo", "toolRunCounts"];
const ofItsAudit = ["audit", "tenantChain", "archivedPosition"];

describe("an erasure of a tenant", () => {
  const deactivate = async (tenantId: string): Promise<void> =>
    as("maker")
      .platform.inTenant(tenantId)
      .commit([update(keys.tenantConfig(), { set: { isActive: false } as never })], {
        category: "configuration_change",
        action: "tenant.update",
        resourceType: "Tenant",
      });

  test("C06: needs an inactive tenant, and its name", async () => {
    const request = (confirmName: string) => requestErasure(as("anna"), one, { kind: "tenant", confirmName, reason: "contract_ended" });
    await expect(request("Clinic Two")).rejects.toMatchObject({ code: "invalid_request", fields: { confirmName: expect.any(String) } });
    await expect(request("Clinic One")).rejects.toMatchObject({ code: "not_doable" });
    await deactivate(one);
    const { id } = await request("Clinic One");
    await as("maker")
      .platform.inTenant(one)
      .commit([update(keys.tenantConfig(), { set: { isActive: true } as never })], {
        category: "configuration_change",
        action: "tenant.update",
        resourceType: "Tenant",
      });
    await approveErasure(as("ben"), id);
    await runErasure(system(), id);
    expect((await readErasure(as("anna"), id)).status).toBe("cancelled");
    expect((await rowsOf(one)).length).toBeGreaterThan(2);
  });

  test("C06: cannot be undone by activating the tenant: one that is being erased cannot be changed", async () => {
    await deactivate(one);
    const { id } = await requestErasure(as("anna"), one, { kind: "tenant", confirmName: "Clinic One", reason: "contract_ended" });
    await approveErasure(as("ben"), id);
    // Crashes after locking the tenant
    let begun = false;
    it.fault(({ operation }) => {
      if (operation === "PutObject" || operation === "CreateMultipartUpload") begun = true;
      return begun ? { status: 400, code: "ValidationException", message: "killed" } : undefined;
    });
    await runErasure(system(), id).catch(() => {});
    it.fault();
    const change = { name: "Clinic One", contactEmail: "a@b.example", organizationType: "clinic", isActive: true } as const;
    await expect(updateTenant(as("maker"), one, change)).rejects.toMatchObject({ code: "not_doable" });
  });

  test("C06: that is killed among a call's many tool runs finds the others, and older ones that are in the index", async () => {
    const callKeys = [await callOf(one, "pat-1"), await callOf(two, "pat-1")];
    for (const [at, tenantId] of [one, two].entries())
      for (let run = 0; run < 200; run++) {
        const [id, callKey = ""] = [newId(), callKeys[at]];
        // The call of an older run may have expired.
        const older = { callKey: `expired-${run}`, gsi1pk: keys.tenantPartitions.runs(tenantId), gsi1sk: id };
        const row = { id, tool: "sendSMS", at: new Date().toISOString(), ms: 1, success: true, requestId: "r", callKey, expiresAt: 4e9 };
        const whole = { ...row, ...(run % 20 === 0 ? older : {}) };
        await it
          .platform()
          .platform.inTenant(tenantId)
          .writeUnaudited(put(keys.toolRun(whole.callKey, id), whole));
      }
    const kept = await rowsOf(two);
    await deactivate(one);
    const { id } = await requestErasure(as("anna"), one, { kind: "tenant", confirmName: "Clinic One", reason: "contract_ended" });
    await runErasure(system(), id);
    await approveErasure(as("ben"), id);
    let runs = 0;
    for (let status = ""; status !== "done" && runs < 50; runs++) {
      let left = 2;
      it.fault(({ operation }) => {
        if (operation === "TransactWriteItems") left -= 1;
        return left < 0 ? { status: 400, code: "ValidationException", message: "killed" } : undefined;
      });
      const later = { ...system(), clock: () => new Date(Date.now() + runs * 121_000) };
      await runErasure(later, id).catch(() => {});
      it.fault();
      ({ status } = (await it.platform().platform.get<ErasureRow>(keys.erasure(id))) ?? { status: "" });
    }
    expect(runs).toBeGreaterThan(3);
    expect((await readErasure(as("anna"), id)).erased).toMatchObject({ calls: 1, toolRuns: 201 });
    expect((await rowsOf(one)).filter((row) => row.startsWith("CALL#"))).toEqual([]);
    expect(await rowsOf(two)).toEqual(kept);
  });

  test("C06: deletes a row of every kind that a tenant can have, with files and secrets, except its audit; the other tenant keeps everything", async () => {
    await provider(one);
    const secret = await storeFhirSecret(`${"p".repeat(26)}/client-secret`, "a secret");
    for (const tenantId of [one, two]) await callOf(tenantId, "pat-1");
    await putSealedFile("phi", one, `kept-events/${one}/${newId()}`, "{}");
    await seedEveryKind(one, secret);
    const kept = await rowsOf(two);
    await deactivate(one);
    const { id } = await requestErasure(as("anna"), one, { kind: "tenant", confirmName: "Clinic One", reason: "contract_ended" });
    await runErasure(system(), id);
    await approveErasure(as("ben"), id);
    await runErasure(system(), id);
    const erasure = await readErasure(as("anna"), id);
    expect(erasure).toMatchObject({
      status: "done",
      erased: { calls: 1, files: 1, toolRuns: 1, leads: 2, tasks: 2, messages: 2, users: 1 },
    });
    const left = (await everything()).filter(
      (row) =>
        JSON.stringify(row).includes(one) &&
        !["PLATFORM#ERASURES"].includes(String(row["pk"])) &&
        row["actorKind"] === undefined &&
        row["kind"] !== "erasure",
    );
    const expected = [...endByThemselves, ...ofItsAudit];
    expect(left.map(({ seededBy, pk }) => seededBy ?? pk).toSorted()).toEqual(expected.toSorted());
    for (const row of left)
      if (endByThemselves.includes(String(row["seededBy"]))) expect(row["pk"]).toMatch(/#(IDEMPOTENCY|CHANGED|COUNTER|SEND)#/);
    expect(await filesIn(`calls/${one}/`)).toEqual([]);
    expect(await filesIn(`kept-events/${one}/`)).toEqual([]);
    expect(await rowsOf(two)).toEqual(kept);
    expect(await filesOf(two)).toHaveLength(1);
    expect(() => it.aws.secrets.value(secret.arn)).toThrow("has no current value");
    expect((await listErasures(as("anna"), {})).rows.map((row) => row.id)).toContain(id);
    expect((await listErasures(as("anna"), { tenantId: one })).rows.map((row) => row.id)).toEqual([id]);
    expect((await listErasures(as("anna"), { tenantId: two })).rows).toEqual([]);
  });
});

/** One row of every key template of a tenant, under the ids that other rows refer to. */
const seedEveryKind = async (tenantId: string, secret: { arn: string; versionId: string }): Promise<void> => {
  const [user, office, agent, voice, fhir] = [newId(), newId(), newId(), newId(), "p".repeat(26)];
  const email = `${newId()}@clinic.example`;
  const calls = keys.tenantPartitions.calls(tenantId);
  const [call] = (await it.inTenant(tenantId).store.query<CallRow>(calls, { index: "gsi1" })).rows;
  const known: Record<string, { ids: string[]; row?: object }> = {
    callOfNumber: { ids: [call?.numberHash ?? "", call?.startedAt ?? "", call?.callKey ?? ""] },
    tenantUser: { ids: [user] },
    user: { ids: [user], row: { id: user, email } },
    email: { ids: [email] },
    session: { ids: [user, "sid"] },
    userDirectory: { ids: [user] },
    office: { ids: [office], row: { fhirProviderId: fhir } },
    officeDirectory: { ids: [office] },
    ref: { ids: [office] },
    apiKey: { ids: ["k1"], row: { lookupHash: "lookup-of-key" } },
    keyLookup: { ids: ["lookup-of-key"] },
    calendarFeed: { ids: [office], row: { lookupHash: "lookup-of-calendar" } },
    calendarToken: { ids: ["lookup-of-calendar"] },
    voiceProvider: { ids: [voice] },
    hook: { ids: [voice] },
    voiceProviderDirectory: { ids: [voice] },
    voiceAgent: { ids: [office, agent] },
    voiceAgentDirectory: { ids: [agent] },
    tenantFhirProvider: { ids: [fhir] },
    fhirProvider: { ids: [fhir], row: { id: fhir, ownerTenantId: tenantId, clientSecret: secret } },
    fhirUsedBy: { ids: [fhir, tenantId, office] },
    keptEventContent: { ids: ["01event"], row: { body: "{}" } },
    keptEvent: { ids: ["01event"] },
    due: { ids: ["1", "2026-01-01", "idempotency", "x"], row: { kind: "idempotency" } },
    outgoing: { ids: ["2", "2026-01-01", "reminder", "x"] },
    audit: { ids: ["2026-01", "api_call", "01audit"] },
  };
  const seen = new Set<string>();
  for (const [name, template] of Object.entries(keys)) {
    if (typeof template !== "function" || name === "callKeyOf") continue;
    const { ids = ["x1", "x2", "x3"], row = {} } = known[name] ?? {};
    const key = (template as unknown as (...ids: string[]) => Key<unknown>)(...ids);
    if (key.scope !== "tenant" && !(name in known)) continue;
    const at = key.scope === "tenant" ? key.primaryKeyIn(tenantId) : key.primaryKey;
    // Rows written by real operations are kept
    if (["tenant", "tenantDirectory"].includes(key.entity) || seen.has(`${at.pk}|${at.sk}`)) continue;
    seen.add(`${at.pk}|${at.sk}`);
    const index = key.entity === "call" ? { gsi1pk: keys.tenantPartitions.calls(tenantId), gsi1sk: "x1", callKey: "x1" } : {};
    if (name === "call" || at.pk === `TENANT#${tenantId}#CALL#x1`) continue;
    await db.send(new PutCommand({ TableName: process.env["TABLE_NAME"], Item: { ...at, ...index, ...row, tenantId, seededBy: name } }));
  }
};

describe("an erasure", () => {
  test("C06: starts when its waiting period is over, and not before; its requester cannot approve it", async () => {
    const callKey = await callOf(one, "pat-1");
    const { id, startsAt } = await requestErasure(as("anna"), one, { kind: "call", callId: callKey, ...asked });
    await expect(approveErasure(as("anna"), id)).rejects.toMatchObject({ code: "not_doable" });
    expect(Date.parse(startsAt) - Date.now()).toBeGreaterThan(0.9 * dayMs);
    await runErasure({ ...system(), clock: () => new Date(Date.parse(startsAt) - 1000) }, id);
    expect((await readErasure(as("anna"), id)).status).toBe("waiting");
    expect((await readErasure(as("anna"), id, { withCopy: true })).copyUrls).toBeNull();
    await runErasure({ ...system(), clock: () => new Date(Date.parse(startsAt) + 1000) }, id);
    expect(await readErasure(as("anna"), id)).toMatchObject({ status: "done", approvedBy: null });
  });

  test("C06: can be cancelled until it starts, is requested once at a time, and is not found under another id", async () => {
    const callKey = await callOf(one, "pat-1");
    const request = () => requestErasure(as("anna"), one, { kind: "call", callId: callKey, ...asked });
    const { id } = await request();
    await expect(request()).rejects.toMatchObject({ code: "duplicate" });
    expect(await cancelErasure(as("ben"), id)).toMatchObject({ status: "cancelled" });
    for (const verb of [approveErasure, cancelErasure]) await expect(verb(as("ben"), id)).rejects.toMatchObject({ code: "stale_version" });
    await runErasure({ ...system(), clock: () => new Date(Date.now() + 2 * dayMs) }, id);
    expect((await readCall(it.inTenant(one), callKey)).summary).toBe(words);
    for (const verb of [approveErasure, cancelErasure, readErasure])
      await expect(verb(as("ben"), newId())).rejects.toMatchObject({ code: "not_found" });
    expect(await request()).toMatchObject({ status: "waiting" });
  });

  test("C06: whose copy takes several invocations is completed, each line once", async () => {
    await provider();
    for (let at = 0; at < 3; at++) await callOf(one, "pat-1");
    const { id } = await requestErasure(as("anna"), one, patientOf("pat-1"));
    await approveErasure(as("ben"), id);
    const short = (): PlatformContext => ({ ...system(), deadline: { remainingMs: () => 45_000 } });
    let invocations = 0;
    for (; (await readErasure(as("anna"), id)).status !== "done" && invocations < 20; invocations++) await runErasure(short(), id);
    expect(invocations).toBeGreaterThan(3);
    const { copy, copyUrls } = await readErasure(as("anna"), id, { withCopy: true });
    const lines = await linesAt(copyUrls);
    expect(copyUrls).toHaveLength(copy?.files ?? 0);
    const names = lines.map((line) => JSON.stringify(line));
    expect(new Set(names).size).toBe(names.length);
    for (const type of ["call", "toolRun", "lead", "task", "message"])
      expect(lines.filter((line) => line["type"] === type)).toHaveLength(3);
  });

  test("C06: shows the subject's ids on request, and audits that", async () => {
    await provider();
    const { id } = await requestErasure(as("anna"), one, patientOf("pat-1"));
    expect(JSON.stringify([(await listErasures(as("anna"), {})).rows, await readErasure(as("anna"), id)])).not.toContain("pat-1");
    const before = (await everything()).filter(({ action }) => action === "erasure.read").length;
    expect(await readErasure(as("anna"), id, { withSubject: true })).toMatchObject({ patientId: "pat-1" });
    expect((await everything()).filter(({ action }) => action === "erasure.read")).toHaveLength(before + 1);
  });

  test("C06: that is killed at any point continues, and counts each row and file once", async () => {
    await provider();
    for (let at = 0; at < 3; at++) await callOf(one, "pat-1");
    const { id } = await requestErasure(as("anna"), one, { kind: "patient", fhirProviderId: "p".repeat(26), patientId: "pat-1", ...asked });
    await runErasure(system(), id);
    await approveErasure(as("ben"), id);
    let runs = 0;
    for (let status = ""; status !== "done" && runs < 200; runs++) {
      // Crashes after another request each time
      let left = runs + 1;
      it.fault(() => {
        left -= 1;
        return left < 0 ? { status: 400, code: "ValidationException", message: "killed" } : undefined;
      });
      // A crashed run holds its lease for two minutes
      const later = { ...system(), clock: () => new Date(Date.now() + runs * 121_000) };
      await runErasure(later, id).catch(() => {});
      it.fault();
      ({ status } = (await it.platform().platform.get<ErasureRow>(keys.erasure(id))) ?? { status: "" });
    }
    expect(runs).toBeGreaterThan(5);
    expect((await readErasure(as("anna"), id)).erased).toMatchObject({ calls: 3, files: 3, leads: 3, tasks: 3, messages: 3, toolRuns: 3 });
    expect(await filesOf(one)).toEqual([]);
  });

  test("C06: with two concurrent runs, one does the work", async () => {
    const callKey = await callOf(one, "pat-1");
    const { id } = await requestErasure(as("anna"), one, { kind: "call", callId: callKey, ...asked });
    await approveErasure(as("ben"), id);
    await Promise.all([runErasure(system(), id), runErasure(system(), id), runErasure(system(), id)]);
    const month = new Date().toISOString().slice(0, 7);
    const { rows } = await it.inTenant(one).store.query<AuditRow>(keys.tenantPartitions.audit(one, month, "patient_access"));
    expect(rows.filter(({ action }) => action === "erasure.writeCopy")).toHaveLength(1);
  });

  test("C06: is started again until it is finished", async () => {
    const callKey = await callOf(one, "pat-1");
    const { id } = await requestErasure(as("anna"), one, { kind: "call", callId: callKey, ...asked });
    expect(await resumeErasure(system(), id)).toBe(true);
    await expect(resumeErasure({ ...system(), clock: () => new Date(Date.now() + 2 * dayMs) }, id)).rejects.toThrow();
    await cancelErasure(as("ben"), id);
    expect(await resumeErasure(system(), id)).toBe(true);
  });
});

describe("a certificate", () => {
  const certified = async (): Promise<string> => done(one, { kind: "call", callId: await callOf(one, "pat-1"), ...asked });
  const isOfThese =
    (ids: readonly string[]) =>
    ({ erasureId }: { erasureId: string }): boolean =>
      ids.includes(erasureId);
  const toldOf = async (tenantId: string) => {
    const month = new Date().toISOString().slice(0, 7);
    const { rows } = await it.inTenant(tenantId).store.query<AuditRow>(keys.tenantPartitions.audit(tenantId, month, "patient_access"));
    return rows.flatMap((row) =>
      row.action === "erasure.done" ? [{ erasureId: String(row.detail?.["erasureId"]), digest: String(row.detail?.["certificate"]) }] : [],
    );
  };
  const verification = async () => {
    return verifyErasures(system(), process.env["CERTIFICATE_KEY_ARN"] ?? "", await toldOf(one));
  };

  test("C06: states the deleted data, the actors and the end of backups, with only ids and counts", async () => {
    const { certificate, backupsGoneAt, finishedAt } = await readErasure(as("anna"), await certified());
    const claims = certificate && verifySignature(certificate.key, certificate.jws);
    expect(claims).toMatchObject({
      iss: "vitaline",
      kind: "call",
      tenantId: one,
      requestedBy: "anna",
      approvedBy: "ben",
      erased: { calls: 1, files: 1 },
    });
    expect(claims?.["backupsGoneAt"]).toBe(backupsGoneAt);
    expect(Date.parse(backupsGoneAt ?? "") - Date.parse(finishedAt ?? "")).toBe(35 * dayMs);
    expect(JSON.stringify(claims)).not.toContain("knee");
  });

  test("C06: passes verification, and an altered, unsigned, missing or forged one is reported", async () => {
    const ids = [await certified(), await certified(), await certified(), await certified(), await certified()] as const;
    const sound = await verification();
    expect(sound.flaws.filter(isOfThese(ids))).toEqual([]);
    expect(sound.rows - sound.intactRows).toBe(sound.flaws.length);
    const alter = async (id: string, change: Partial<ErasureRow>): Promise<void> => {
      const row = await it.platform().platform.get<ErasureRow>(keys.erasure(id));
      await db.send(new PutCommand({ TableName: process.env["TABLE_NAME"], Item: { ...row, ...change, ...keys.erasure(id).primaryKey } }));
    };
    const [altered, unsigned, cancelled, missing, madeUp] = ids;
    const other = await it.platform().platform.get<ErasureRow>(keys.erasure(madeUp));
    await alter(altered, { erased: { calls: 0 } as never });
    await alter(unsigned, { certificate: { jws: "a.b.c", key: other?.certificate?.key as never } });
    await alter(cancelled, { status: "cancelled" });
    await db.send(new DeleteCommand({ TableName: process.env["TABLE_NAME"], Key: keys.erasure(missing).primaryKey }));
    const byId = (a: { erasureId: string }, b: { erasureId: string }) => (a.erasureId < b.erasureId ? -1 : 1);
    expect((await verification()).flaws.filter(isOfThese(ids)).toSorted(byId)).toEqual([
      { kind: "altered", erasureId: altered },
      { kind: "unsigned", erasureId: unsigned },
      { kind: "altered", erasureId: cancelled },
      { kind: "missing", erasureId: missing },
    ]);
    const untold = await verifyErasures(system(), process.env["CERTIFICATE_KEY_ARN"] ?? "", []);
    expect(untold.flaws).toContainEqual({ kind: "unknown", erasureId: madeUp });
  });
});

test("C06: a missing sealed file causes an error and never shows other content", async () => {
  await expect(getSealedFile("phi", one, { key: `calls/${one}/x/transcript-5`, sha256: "0" })).rejects.toThrow();
});

test("a text that waits for the office to open is deleted with its patient, also where the caller's request came twice", async () => {
  await provider();
  const night = new Date("2030-06-04T04:00:00Z");
  const tenant = (await it.inTenant(one).store.get(keys.tenantConfig()))!;
  const ctx = { ...it.inTenant(one), clock: () => night };
  const request = { channel: "sms", purpose: "general", to: "+16175552001" } as const;
  const message = { key: newId(), tenant, request, about: { providerId: "p".repeat(26), patientId: "pat-1" } };
  // The first attempt's audit was not written: its time was over, or the table was busy.
  await sendMessage(ctx, message);
  const again = await sendMessage(ctx, message);
  await audited(one, "pat-1", { detail: { fhirProviderId: "p".repeat(26), ...messageDetail(again) } });
  const waiting = async () =>
    (await everything()).filter(({ pk, tenantId }) => String(pk).startsWith("PLATFORM#OUTGOING") && tenantId === one).length;
  expect(await waiting()).toBe(1);
  await done(one, patientOf("pat-1"));
  expect(await waiting()).toBe(0);
});
