export { listContactMessages } from "./contact-messages.ts";
export { mailUnmailed } from "./mail.ts";
export { sendContactMessage, sendTenantMessage } from "./send.ts";
