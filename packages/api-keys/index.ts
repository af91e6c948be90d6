export { issueApiKey } from "./issue.ts";
export { revealApiKey } from "./reveal.ts";
export { rotateApiKey } from "./rotate.ts";
export { verifyApiKey } from "./verify.ts";
