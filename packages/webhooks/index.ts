export { noteCalendar, type CalendarChange } from "./calendar/entries.ts";
export { endFeed, renewFeed, showFeed } from "./calendar/feed.ts";
export { readCalendar } from "./calendar/ical.ts";
export { newRun, type DeliveryRun } from "./deliveries/attempt.ts";
export { drain } from "./deliveries/deliver-due.ts";
export { listDeliveries } from "./deliveries/delivery.ts";
export { noteDeliveries, replayDelivery, testWebhook, type WebhookEvent } from "./deliveries/enqueue.ts";
export { rotateWebhookSecret } from "./subscriptions/secret.ts";
export { createWebhook, deleteWebhook, listWebhooks, updateWebhook } from "./subscriptions/webhook.ts";
