export { contactOf, hintOf } from "./contacts.ts";
export type { Kept } from "./defer.ts";
export { countOfCall, countOfPatient, countOfTenant, limits } from "./limits.ts";
export { listMessages, outcomeRanks } from "./list.ts";
export { sendOneTimeCode } from "./one-time-code.ts";
export { optIn, optOut, optOutBy, channelsOf, isOn } from "./preferences.ts";
export { expiryOf, outgoingKey, outgoingShards, waitMs, type Attended, latestBeforeMs, remindBeforeMs, reminderTime } from "./schedule.ts";
export {
  calendarIdOf,
  messageDetail,
  type About,
  type Asked,
  type MessageDetail,
  type MessageRequest,
  type Sent,
  type Visit,
} from "./request.ts";
export { sendMessage, sendNow } from "./send.ts";
export { isPassing, sendKept, sentAudit, type Waited } from "./send-deferred.ts";
