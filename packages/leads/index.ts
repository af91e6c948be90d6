export { exportLeads } from "./export.ts";
export { handleLead, listLeads, unsealLeadContact, readLead } from "./leads.ts";
export { reserveLead, leadWrite, storeLead, type LeadInput } from "./create.ts";
