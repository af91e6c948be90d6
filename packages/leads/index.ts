export { exportLeads } from "./export.ts";
export { handleLead, listLeads, unsealLeadContact, readLead } from "./leads.ts";
export { claimLeadWrite, leadWrite, storeLead, type LeadInput } from "./create.ts";
