export { tenantInactive, recordApiKeyUse, verifyApiKey } from "./authenticate.ts";
export { callerMark, isCallToken, newCallToken, verifyCallToken, type CallGrant } from "./call-token.ts";
export { issueApiKey, revokeApiKey, rotateApiKey, setApiKeysActive } from "./lifecycle.ts";
export { listApiKeys, revealApiKey } from "./read.ts";
