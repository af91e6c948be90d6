export { exportLeads } from "./export.ts";
export { handleLead, handling, listLeads, unsealLeadContact, readLead } from "./leads.ts";
export { reserveLead, leadWrite, storeLead, type LeadInput } from "./create.ts";
