import type { DeliveryStatus, DeliveryType, WebhookDelivery, WebhookEventType } from "@vitaline/contract";

export const eventNames: Record<DeliveryType, string> = {
  "call.completed": "Call completed",
  "appointment.booked": "Appointment booked",
  "appointment.changed": "Appointment changed",
  "appointment.cancelled": "Appointment canceled",
  "lead.captured": "Lead captured",
  "task.created": "Task created",
  "task.updated": "Task changed",
  "routing.logged": "Caller routed",
  "webhook.test": "Test",
};

export const eventHints: Record<WebhookEventType, string> = {
  "call.completed": "A call has ended, with its duration and outcome.",
  "appointment.booked": "An agent has booked an appointment.",
  "appointment.changed": "An agent has rescheduled an appointment.",
  "appointment.cancelled": "An agent has canceled an appointment.",
  "lead.captured": "A caller wants to be called back.",
  "task.created": "A caller was promised something that the office has to do.",
  "task.updated": "A task was completed, reopened, assigned, given a note, or has a finding.",
  "routing.logged": "A call was transferred to staff, or ended in another way.",
};

type Attempt = WebhookDelivery["attempts"][number];

export const deliveryStatuses: Record<DeliveryStatus, { name: string; colorPalette: "orange" | "green" | "red" }> = {
  pending: { name: "Pending", colorPalette: "orange" },
  delivered: { name: "Delivered", colorPalette: "green" },
  failed: { name: "Failed", colorPalette: "red" },
};

const reasons = new Map([
  ["http_status", "The receiver refused it"],
  ["outbound_timeout", "No answer within 10 seconds"],
  ["outbound_unreachable", "The receiver could not be reached"],
  ["outbound_refused", "This address may not be called"],
  ["outbound_redirect", "The receiver answered with a redirect, which is not followed"],
  ["outbound_too_large", "The answer was too large"],
  ["webhook_inactive", "The webhook was switched off before it was sent"],
  ["source_gone", "The record it reports no longer exists"],
  ["internal_error", "Something went wrong on our side"],
]);

const reasonOf = (code: string): string => reasons.get(code) ?? code;

export const attemptOutcome = ({ httpStatus, code }: Pick<Attempt, "httpStatus" | "code">): string =>
  httpStatus === null ? (code === null ? "Delivered" : reasonOf(code)) : `Answered ${httpStatus}`;

export const deliveryOutcome = ({ attempts, code, status }: Pick<WebhookDelivery, "attempts" | "code" | "status">): string => {
  const last = attempts.at(-1);
  // Given up without another attempt, so the delivery's own code says more.
  if (status === "failed" && code !== null && code !== last?.code) return reasonOf(code);
  if (last) return attemptOutcome(last);
  return code === null ? "Not sent yet" : reasonOf(code);
};

/** "https://crm.example/hooks/" to "crm.example/hooks" */
export const shortAddress = (url: string): string => url.replace(/^https?:\/\//, "").replace(/\/$/, "");
