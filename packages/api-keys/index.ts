export { callerMark, isCallToken, newCallToken, verifyCallToken, type CallGrant } from "./call-token.ts";
export { issueApiKey } from "./issue.ts";
export { listApiKeys } from "./list.ts";
export { noteApiKeyUse } from "./note-use.ts";
export { revealApiKey } from "./reveal.ts";
export { revokeApiKey } from "./revoke.ts";
export { rotateApiKey } from "./rotate.ts";
export { switchApiKeys } from "./switch.ts";
export { verifyApiKey } from "./verify.ts";
