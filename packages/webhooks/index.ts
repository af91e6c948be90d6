export { recordCalendarChanges, type CalendarChange } from "./calendar/entries.ts";
export { deleteCalendarFeed, renewCalendarFeed, readCalendarFeed } from "./calendar/feed.ts";
export { readCalendar } from "./calendar/ical.ts";
export { newDeliveryRun, type DeliveryRun } from "./deliveries/attempt.ts";
export { deliverDue } from "./deliveries/deliver-due.ts";
export { listDeliveries } from "./deliveries/delivery.ts";
export { enqueueDeliveries, replayDelivery, testWebhook, type WebhookEvent } from "./deliveries/enqueue.ts";
export { rotateWebhookSecret } from "./subscriptions/secret.ts";
export { createWebhook, deleteWebhook, listWebhooks, updateWebhook } from "./subscriptions/webhook.ts";
