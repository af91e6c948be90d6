export { normalizeContact, contactHint, dialableNumber } from "./contacts.ts";
export type { DeferredRow } from "./defer.ts";
export { callCounterKey, patientCounterKey, tenantCounterKey, limits } from "./limits.ts";
export { listMessages } from "./list.ts";
export { sendOneTimeCode } from "./one-time-code.ts";
export { optIn, optOut, optOutAfterReceipt, enabledChannels, isChannelEnabled } from "./preferences.ts";
export { minNoticeMs, remindBeforeMs, reminderHours, reminderTime, outgoingExpiry, backoffMs, type ProcessedRow } from "./outgoing.ts";
export {
  calendarIdOf,
  messageDetail,
  type MessageSubject,
  type SendRequest,
  type MessageDetail,
  type MessageRequest,
  type SendResult,
  type Visit,
} from "./request.ts";
export { sendMessage, sendNow } from "./send.ts";
export { isTemporaryFailure, sendDeferred, messageAudit, type PendingMessage } from "./send-deferred.ts";
