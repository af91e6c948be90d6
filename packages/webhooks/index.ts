export { newRun, type DeliveryRun } from "./deliveries/attempt.ts";
export { endFeed, renewFeed, showFeed } from "./calendar/feed.ts";
export { noteCalendar, type CalendarChange } from "./calendar/entries.ts";
export { readCalendar } from "./calendar/ical.ts";
export { createWebhook, updateWebhook, deleteWebhook, listWebhooks } from "./subscriptions/webhook.ts";
export { drain } from "./deliveries/deliver-due.ts";
export { listDeliveries } from "./deliveries/delivery.ts";
export { noteDeliveries, type WebhookEvent, testWebhook, replayDelivery } from "./deliveries/enqueue.ts";
export { rotateWebhookSecret } from "./subscriptions/secret.ts";
