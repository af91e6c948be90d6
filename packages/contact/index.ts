export { listContactMessages } from "./list.ts";
export { mailUnmailed } from "./mail-unmailed.ts";
export { sendContactMessage, sendTenantMessage } from "./send.ts";
