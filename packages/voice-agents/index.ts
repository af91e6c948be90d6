export { findAnsweringAgent } from "./answering-agent.ts";
export { assignVoiceAgent } from "./assign.ts";
export { assignmentOf, findActiveAssignment, type Assignment } from "./assignment.ts";
export { tenantOfOffice } from "./list.ts";
export { listAllVoiceAgents, listVoiceAgents } from "./list.ts";
export { deleteVoiceAgent, updateVoiceAgent } from "./update.ts";
