export { exportLeads } from "./export.ts";
export { handleLead, listLeads, contactOf, readLead } from "./leads.ts";
export { leadOfRequest, leadUnder, noteLead, type NotedLead } from "./create.ts";
