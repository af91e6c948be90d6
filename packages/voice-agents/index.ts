export { assignVoiceAgent } from "./assign.ts";
export { deleteVoiceAgent, updateVoiceAgent } from "./update.ts";
export { tenantOfOffice } from "./list.ts";
export { listAllVoiceAgents, listVoiceAgents } from "./list.ts";
export { whoAnswers } from "./answering-agent.ts";
export { assignmentFor, resolveAgent, type Assignment } from "./assignment.ts";
