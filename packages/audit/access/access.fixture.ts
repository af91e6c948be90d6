import { recordCallEvent, exportCalls, followUpCall, readCall } from "@vitaline/calls";
import { newId, type Actor } from "@vitaline/core";
import { exportLeads, handleLead, readLead, storeLead } from "@vitaline/leads";
import { type AuditRow, keys, type TenantContext } from "@vitaline/store";
import { changeToDo, closeTask, createTask, projectedWrite, readTask, readToDo, stateOfTask } from "@vitaline/tasks";
import { loadTools } from "@vitaline/tools";
import type { TestAws } from "../../../test/kit/aws.ts";

export const ehr = "e".repeat(26);
export const staff = (tenantId: string): Actor => ({ kind: "user", id: `nurse-of-${tenantId}`, role: "tenant_admin", tenantId });

/** One act at a tenant. `of`: the patients whose data it read or changed. */
export type Way = (world: World, at: Place) => Promise<readonly string[]>;
/** `call`: one in which `verified` were verified. */
export type Place = { ctx: TenantContext; call: Call };
export type Call = { callKey: string; verified: readonly string[]; leadIds: string[]; taskIds: string[] };
/** The calls of the tenant, for exports. */
export type World = { calls: readonly Call[] };

const tool =
  (name: string): Way =>
  async (_world, { ctx, call }) => {
    const patient = call.verified[0];
    await ctx.store.commit([], {
      category: "patient_access",
      action: `tool.${name}`,
      resourceType: patient === undefined ? "Tool" : "Patient",
      resourceId: patient ?? name,
      callKey: call.callKey,
      detail: { tool: name, ms: 1, platform: "vapi", ...(patient === undefined ? {} : { fhirProviderId: ehr }) },
    });
    return patient === undefined ? [] : [patient];
  };

const recorded =
  (action: string, fields: (call: Call, patient: string) => Partial<AuditRow>): Way =>
  async (_world, { ctx, call }) => {
    const [patient = ""] = call.verified;
    await ctx.store.commit([], { category: "patient_access", action, resourceType: "Patient", ...fields(call, patient) });
    return call.verified.slice(0, 1);
  };

const contact = { name: "Ana Ruiz", phone: "+16175550100" };

/** Every way in which a patient's data is read or changed. */
export const allWays = async (): Promise<Readonly<Record<string, Way>>> => ({
  ...Object.fromEntries(Object.keys(await loadTools()).map((name) => [`tool.${name}`, tool(name)])),
  "a refused identity check": async (_world, { ctx, call }) => {
    const audit = { category: "patient_access", action: "tool.verifyPatientIdentity", resourceType: "Tool" } as const;
    await ctx.store.commit([], { ...audit, success: false, code: "identity_not_verified", callKey: call.callKey });
    return call.verified;
  },
  "call detail and transcript": async (_world, { ctx, call }) => {
    await readCall(ctx, call.callKey);
    return call.verified;
  },
  "follow-up": async (_world, { ctx, call }) => {
    await followUpCall(ctx, call.callKey, { done: true, note: "called back" });
    return call.verified;
  },
  "a new lead": async (_world, { ctx, call }) => {
    call.leadIds.push((await storeLead(ctx, { reason: "other", contact, callKey: call.callKey })).id);
    return call.verified;
  },
  "a lead that is read": async (_world, { ctx, call }) => {
    const [leadId] = call.leadIds;
    if (leadId === undefined) return [];
    await readLead(ctx, leadId);
    return call.verified;
  },
  "a lead that is handled": async (_world, { ctx, call }) => {
    const leadId = call.leadIds.at(-1);
    if (leadId === undefined) return [];
    await handleLead(ctx, leadId, true);
    return call.verified;
  },
  "an export of leads": async ({ calls }, { ctx }) => {
    await exportLeads(ctx, { format: "csv" });
    return [...new Set(calls.flatMap(({ leadIds, verified }) => (leadIds.length > 0 ? verified : [])))];
  },
  "an export of calls": async ({ calls }, { ctx }) => {
    await exportCalls(ctx, {} as never);
    return [...new Set(calls.flatMap(({ verified }) => verified))];
  },
  "a new task": async (_world, { ctx, call }) => {
    const id = newId();
    const [patientId] = call.verified;
    const about = { tool: "sendCommunicationFhir", ...(patientId === undefined ? {} : { patientId, fhirProviderId: ehr }) };
    const write = await createTask(ctx, id, { kind: "message", about, callKey: call.callKey });
    await ctx.store.commit([write], {
      category: "patient_access",
      action: "tool.sendCommunicationFhir",
      resourceType: patientId === undefined ? "Tool" : "Patient",
      resourceId: patientId ?? "sendCommunicationFhir",
      callKey: call.callKey,
      detail: { taskId: id, ...(patientId === undefined ? {} : { fhirProviderId: ehr }) },
    });
    call.taskIds.push(id);
    return call.verified.slice(0, 1);
  },
  "a task that is read": async (_world, { ctx, call }) => {
    const [taskId] = call.taskIds;
    if (taskId === undefined) return [];
    await readTask(ctx, taskId);
    return call.verified.slice(0, 1);
  },
  "a task that is closed": async (_world, { ctx, call }) => {
    const taskId = call.taskIds.at(-1);
    if (taskId === undefined) return [];
    await closeTask(ctx, taskId, true);
    return call.verified;
  },
  "a to-do item that is read": async (_world, { ctx, call }) => {
    const [taskId] = call.taskIds;
    if (taskId === undefined || !(await listed(ctx, taskId))) return [];
    await readToDo(ctx, taskId);
    return call.verified.slice(0, 1);
  },
  "a to-do item that is given to a colleague, with a note": async (_world, { ctx, call }) => {
    const taskId = call.taskIds.at(-1);
    if (taskId === undefined || !(await listed(ctx, taskId))) return [];
    await changeToDo(ctx, taskId, { note: "Asked the pharmacy" });
    return call.verified;
  },
  "a note on a to-do item of no call": async (_world, { ctx, call }) => {
    const patientId = call.verified[0];
    if (patientId === undefined) return [];
    const id = newId();
    const write = await createTask(ctx, id, { kind: "message", about: { tool: "sendCommunicationFhir", patientId, fhirProviderId: ehr } });
    const audit = { category: "patient_access", action: "tool.sendCommunicationFhir", resourceType: "Patient" } as const;
    await ctx.store.commit([write], { ...audit, resourceId: patientId, detail: { taskId: id, fhirProviderId: ehr } });
    await listed(ctx, id);
    await changeToDo(ctx, id, { note: "Asked the pharmacy" });
    return [patientId];
  },
  "a reminder": recorded("reminder.send", (_call, patient) => ({
    resourceId: patient,
    detail: { fhirProviderId: ehr, messageId: newId() },
  })),
  "a deferred message": async (_world, { ctx, call }) => {
    const audit = { category: "patient_access", action: "message.send", resourceType: "Message", resourceId: newId() } as const;
    await ctx.store.commit([], { ...audit, callKey: call.callKey });
    return call.verified;
  },
  "a search in the record system": recorded("patient.search", (_call, patient) => ({
    resourceId: patient,
    detail: { fhirProviderId: ehr },
  })),
  "a connection test": recorded("fhirProvider.test", (_call, patient) => ({ resourceId: patient, detail: { fhirProviderId: ehr } })),
  "the copy of an erased patient": recorded("erasure.downloadCopy", (_call, patient) => ({
    resourceId: patient,
    detail: { kind: "patient", fhirProviderId: ehr },
  })),
  "the copy of an erased call": async (_world, { ctx, call }) => {
    const audit = { category: "patient_access", action: "erasure.downloadCopy", resourceType: "Call", resourceId: call.callKey } as const;
    await ctx.store.commit([], { ...audit, callKey: call.callKey, detail: { kind: "call" } });
    return call.verified;
  },
});

/** Puts an open task on the list of work, as the projection does. */
async function listed(ctx: TenantContext, taskId: string): Promise<boolean> {
  const task = await ctx.store.get(keys.task(taskId));
  if (!task || task.closedAt !== undefined) return false;
  await ctx.store.writeUnaudited(projectedWrite(ctx.tenantId, stateOfTask(task)) as never);
  return true;
}

export async function newCall(it: TestAws, tenantId: string, verified: readonly string[]): Promise<Call> {
  const callId = newId();
  const now = Date.now();
  await recordCallEvent(it.inTenant(tenantId, { kind: "api_key", id: "key", tenantId }), {
    platform: "vapi",
    callId,
    agentName: "Front desk",
    status: "completed",
    startedAt: new Date(now - 60_000).toISOString(),
    endedAt: new Date(now).toISOString(),
    transcript: { text: "my knee hurts" },
  } as never);
  return { callKey: keys.callKeyOf("vapi", callId), verified, leadIds: [], taskIds: [] };
}
