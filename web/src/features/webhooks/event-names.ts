import type { DeliveryType, WebhookEventType } from "@vitaline/contract";

export const eventNames: Record<DeliveryType, string> = {
  "call.completed": "Call completed",
  "appointment.booked": "Appointment booked",
  "appointment.changed": "Appointment changed",
  "appointment.cancelled": "Appointment cancelled",
  "lead.captured": "Lead captured",
  "task.created": "Task created",
  "routing.logged": "Caller routed",
  "webhook.test": "Test",
};

export const eventHints: Record<WebhookEventType, string> = {
  "call.completed": "A call has ended: how long it was and what came of it.",
  "appointment.booked": "An agent has booked an appointment.",
  "appointment.changed": "An agent has moved an appointment to another time.",
  "appointment.cancelled": "An agent has cancelled an appointment.",
  "lead.captured": "A caller wants to be called back.",
  "task.created": "A caller was promised something that the office has to do.",
  "routing.logged": "A call was put through to staff, or ended otherwise.",
};
