export { exportLeads } from "./export.ts";
export { handleLead } from "./handle.ts";
export { listLeads } from "./list.ts";
export { leadOfRequest, leadUnder, noteLead, type NotedLead } from "./note.ts";
export { contactOf, readLead } from "./read.ts";
