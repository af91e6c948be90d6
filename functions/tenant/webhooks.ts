import type { calendarFeeds, webhooks } from "@vitaline/contract";
import {
  createWebhook,
  deleteWebhook,
  deleteCalendarFeed,
  listDeliveries,
  listWebhooks,
  renewCalendarFeed,
  replayDelivery,
  rotateWebhookSecret,
  readCalendarFeed,
  testWebhook,
  updateWebhook,
} from "@vitaline/webhooks";
import type { Handlers } from "../lib/api/serve.ts";
import { answerPage } from "../lib/http/response.ts";

export const webhookHandlers: Handlers<typeof webhooks> = {
  listWebhooks: (ctx) => listWebhooks(ctx),
  createWebhook: (ctx, { body }) => createWebhook(ctx, body),
  updateWebhook: (ctx, { params, body, ifMatch }) => updateWebhook(ctx, params.webhookId, body, ifMatch),
  deleteWebhook: (ctx, { params }) => deleteWebhook(ctx, params.webhookId),
  rotateWebhookSecret: (ctx, { params }) => rotateWebhookSecret(ctx, params.webhookId),
  testWebhook: (ctx, { params }) => testWebhook(ctx, params.webhookId),
  listWebhookDeliveries: async (ctx, { query }) => answerPage(await listDeliveries(ctx, query)),
  replayWebhookDelivery: (ctx, { params }) => replayDelivery(ctx, params.deliveryId),
};

export const calendarFeedHandlers: Handlers<typeof calendarFeeds> = {
  getCalendarFeed: (ctx, { params }) => readCalendarFeed(ctx, params.officeId),
  renewCalendarFeed: (ctx, { params }) => renewCalendarFeed(ctx, params.officeId),
  endCalendarFeed: (ctx, { params }) => deleteCalendarFeed(ctx, params.officeId),
};
