export { listContactMessages } from "./contact-messages.ts";
export { mailUnmailed } from "./mail.ts";
export { sendContactMessage, sendTenantMessage } from "./send.ts";
export { answerRequest, listOperatorRequests } from "./requests/answer.ts";
export { createRequest, listRequests, replyToRequest } from "./requests/tenant.ts";
