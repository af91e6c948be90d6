export { approveErasure, cancelErasure, pursueErasure, requestErasure } from "./request.ts";
export { runErasure } from "./run.ts";
export { listErasures, readErasure } from "./read.ts";
export { verifyErasures } from "./verify-certificates.ts";
