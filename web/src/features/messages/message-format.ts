import type { Message, MessageChannel, MessagePurpose, MessageStatus } from "@vitaline/contract";

export const channelNames: Record<MessageChannel, string> = { sms: "Text message", email: "Email" };

export const purposeNames: Record<MessagePurpose, string> = {
  appointment_confirmation: "Appointment confirmation",
  appointment_reminder: "Appointment reminder",
  follow_up: "Follow-up",
  directions: "Directions",
  callback: "Callback",
  general: "General",
  one_time_code: "One-time code",
};

type StatusLabel = { name: string; colorPalette: "green" | "blue" | "orange" | "red" | "gray" };

export const messageStatuses: Record<MessageStatus, StatusLabel> = {
  queued: { name: "Waiting", colorPalette: "gray" },
  sent: { name: "Sent", colorPalette: "blue" },
  failed: { name: "Not sent", colorPalette: "red" },
  opted_out: { name: "Opted out", colorPalette: "orange" },
  unknown: { name: "Unknown", colorPalette: "gray" },
  delayed: { name: "Delayed", colorPalette: "orange" },
  delivered: { name: "Delivered", colorPalette: "green" },
  undeliverable: { name: "Not delivered", colorPalette: "red" },
  bounced: { name: "Bounced", colorPalette: "red" },
  complained: { name: "Marked as unwanted", colorPalette: "red" },
};

const statusDescriptions: Record<MessageStatus, string> = {
  queued: "It is waiting for the office to open.",
  sent: "The mail or text service accepted it.",
  failed: "The mail or text service rejected it.",
  opted_out: "The recipient has opted out of messages.",
  unknown: "It is unknown whether it was sent. It is not sent again.",
  delayed: "Delivery is still being attempted.",
  delivered: "It reached the recipient's mail server or carrier.",
  undeliverable: "It could not be delivered.",
  bounced: "The recipient's address does not exist.",
  complained: "The recipient marked it as unwanted.",
};

const failureReasons = new Map([
  ["not_doable", "It could not be sent: this kind of message is switched off, has no text, or the office never opens."],
  ["too_many_requests", "Too many messages were requested at once."],
  ["not_found", "It was not sent: the appointment was canceled or moved, or may not be told of any more."],
  ["deadline_exceeded", "It was not sent: it would have come too late."],
  ["ehr_forbidden", "It was not sent: the patient's chart is closed or not in this record system."],
  ["contact_not_on_file", "The number or address is not on file."],
]);

export const describeStatus = ({ status, code }: Pick<Message, "status" | "code">): string =>
  (status === "failed" && code !== null && failureReasons.get(code)) || statusDescriptions[status];
