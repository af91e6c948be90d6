export { approveErasure, cancelErasure, resumeErasure, requestErasure } from "./request.ts";
export { replayErasures } from "./replay.ts";
export { runErasure } from "./run.ts";
export { listErasures, readErasure } from "./read.ts";
export { verifyErasures } from "./verify-certificates.ts";
