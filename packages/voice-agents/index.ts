export { assignVoiceAgent } from "./assign.ts";
export { deleteVoiceAgent, updateVoiceAgent } from "./change.ts";
export { tenantOfOffice } from "./find.ts";
export { listAllVoiceAgents, listVoiceAgents } from "./list.ts";
export { whoAnswers } from "./who-answers.ts";
export { assignmentFor, resolveAgent, type Assignment } from "./resolve.ts";
