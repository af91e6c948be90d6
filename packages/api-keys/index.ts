export { callerMark, isCallToken, newCallToken, verifyCallToken, type CallGrant } from "./call-token.ts";
export { issueApiKey, rotateApiKey, revokeApiKey, switchApiKeys } from "./lifecycle.ts";
export { listApiKeys, revealApiKey } from "./read.ts";
export { noteApiKeyUse, verifyApiKey, inactive } from "./authenticate.ts";
