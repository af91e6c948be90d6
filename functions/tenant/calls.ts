import { toolRuns } from "@vitaline/audit";
import {
  callChart,
  callMetrics,
  callsInProgress,
  costSavings,
  exportCalls,
  followUpCall,
  followUpCalls,
  listCalls,
  planUsage,
  readCall,
  readCallViews,
  recentCalls,
  routingCounts,
  saveCallViews,
  searchCalls,
  toolUsage,
} from "@vitaline/calls";
import type {
  callViews,
  callWork,
  Days,
  leads,
  messages,
  notices,
  Range,
  tasks,
  tenantCalls,
  tenantDashboard,
  toDo,
} from "@vitaline/contract";
import { exportLeads, handleLead, listLeads, storeLead, readLead } from "@vitaline/leads";
import { listMessages } from "@vitaline/messages";
import { cacheRetentionAndZone, type TenantContext, type TenantRow } from "@vitaline/store";
import { changeNotices, changeToDo, closeTask, countToDo, listTasks, listToDo, readNotices, readTask, readToDo } from "@vitaline/tasks";
import type { Handlers } from "../lib/api/serve.ts";
import { answerPage } from "../lib/http/response.ts";

type WithTenant = TenantContext & { session: { tenant: TenantRow } };

/** Saves reading the tenant's row again for its time zone or its retention. */
const withTenant = <Ctx extends WithTenant>(ctx: Ctx): Ctx => {
  cacheRetentionAndZone(ctx.tenantId, ctx.session.tenant, ctx.clock().getTime());
  return ctx;
};

const periodOf = <R extends Range>({ range, from, to }: { range: R; from?: string; to?: string }): R | Days =>
  from && to ? { from, to } : range;

export const dashboardHandlers: Handlers<typeof tenantDashboard> = {
  tenantMetrics: (ctx, { query }) => callMetrics(withTenant(ctx), periodOf(query), query.officeId, query.compare),
  recentCalls: async (ctx, { query }) => answerPage(await recentCalls(ctx, query)),
  toolUsage: (ctx, { query }) => toolUsage(withTenant(ctx), periodOf(query), query.officeId),
  routing: (ctx, { query }) => routingCounts(withTenant(ctx), periodOf(query), query.officeId),
  charts: (ctx, { query }) => callChart(withTenant(ctx), periodOf(query), query.officeId),
  savings: (ctx) => costSavings(withTenant(ctx), ctx.session.tenant),
  usage: (ctx, { query }) => planUsage(ctx, ctx.session.tenant, query.month),
};

export const callHandlers: Handlers<typeof tenantCalls> = {
  listCalls: async (ctx, { query }) => answerPage(await listCalls(ctx, query)),
  callsInProgress: (ctx, { query }) => callsInProgress(ctx, query.officeId),
  exportCalls: (ctx, { query }) => exportCalls(ctx, query),
  readCall: (ctx, { params }) => readCall(ctx, params.callId),
  followUpCall: (ctx, { params, body, ifMatch }) => followUpCall(ctx, params.callId, body, ifMatch),
  listToolCalls: async (ctx, { query }) => answerPage(await toolRuns(withTenant(ctx), ctx.session.tenant.createdAt, query)),
};

export const callWorkHandlers: Handlers<typeof callWork & typeof callViews> = {
  searchCalls: (ctx, { body }) => searchCalls(ctx, body),
  followUpCalls: (ctx, { body }) => followUpCalls(ctx, body.calls, body.note),
  readCallViews: (ctx) => readCallViews(ctx),
  saveCallViews: (ctx, { body, ifMatch }) => saveCallViews(ctx, body.views, ifMatch),
};

/** Leads, tasks and messages that calls produce, and the list of what is to be done about them. */
export const followUpHandlers: Handlers<typeof leads & typeof tasks & typeof toDo & typeof notices & typeof messages> = {
  listLeads: async (ctx, { query }) => answerPage(await listLeads(ctx, query)),
  createLead: (ctx, { body }) => storeLead(withTenant(ctx), body),
  exportLeads: (ctx, { query }) => exportLeads(ctx, query),
  readLead: (ctx, { params }) => readLead(ctx, params.leadId),
  handleLead: (ctx, { params, body, ifMatch }) => handleLead(ctx, params.leadId, body.handled, ifMatch),
  listTasks: async (ctx, { query }) => answerPage(await listTasks(ctx, query)),
  readTask: (ctx, { params }) => readTask(ctx, params.taskId),
  closeTask: (ctx, { params, body, ifMatch }) => closeTask(ctx, params.taskId, body.closed, ifMatch),
  listToDo: async (ctx, { query }) => answerPage(await listToDo(ctx, query)),
  countToDo: (ctx) => countToDo(ctx),
  readToDo: (ctx, { params }) => readToDo(ctx, params.toDoId),
  changeToDo: (ctx, { params, body, ifMatch }) => changeToDo(ctx, params.toDoId, body, ifMatch),
  readNotices: (ctx) => readNotices(ctx),
  changeNotices: (ctx, { body, ifMatch }) => changeNotices(ctx, ctx.session.tenant, body, ifMatch),
  listMessages: async (ctx, { query }) => answerPage(await listMessages(ctx, query)),
};
