export { callEventFromReport } from "./decoding/call-event.ts";
export { reconcileElevenLabs } from "./elevenlabs/reconcile.ts";
export { decodeFlatSummary, loadVoicePlatform } from "./platforms.ts";
export type {
  AnsweringAgent,
  RequestMetadata,
  IncomingCall,
  PlatformAccess,
  RefusedToolCall,
  SignedRequest,
  ToolRequest,
  VoicePlatform,
} from "./voice-platform.ts";
export { providerAgents, probeVoiceProvider } from "./providers/agents.ts";
export { createVoiceProvider } from "./providers/create.ts";
export { deleteVoiceProvider } from "./providers/delete.ts";
export { listAllVoiceProviders, listVoiceProviders, tenantOfVoiceProvider } from "./providers/list.ts";
export { createOwnVoiceProvider, deleteOwnVoiceProvider, readOwnVoiceProvider, updateOwnVoiceProvider } from "./providers/own.ts";
export { updateVoiceProvider } from "./providers/update.ts";
export { hookPath } from "./providers/voice-provider.ts";
export { tenantSnippets } from "./snippets/tenant-snippets.ts";
export type { AgentList } from "./transport/agent-pages.ts";
export { connectionTo, type Connection } from "./transport/request.ts";
