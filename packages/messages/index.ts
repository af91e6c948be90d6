export { contactOf, hintOf } from "./contacts.ts";
export type { Kept } from "./keep.ts";
export { countOfCall, countOfPatient, countOfTenant, limits } from "./limits.ts";
export { listMessages } from "./list.ts";
export { sendOneTimeCode } from "./one-time-code.ts";
export { optIn, optOut, optOutBy } from "./opt-out.ts";
export { outcomeRanks } from "./outcome.ts";
export { channelsOf, isOn } from "./preferences.ts";
export { expiryOf, outgoingKey, outgoingShards, waitMs, type Attended } from "./outgoing.ts";
export { latestBeforeMs, remindBeforeMs, reminderTime } from "./reminder-time.ts";
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
export { isPassing, sendKept, sentAudit, type Waited } from "./send-kept.ts";
