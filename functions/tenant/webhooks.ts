import type { calendarFeeds, webhooks } from "@vitaline/contract";
import {
  createWebhook,
  deleteWebhook,
  endFeed,
  listDeliveries,
  listWebhooks,
  renewFeed,
  replayDelivery,
  rotateWebhookSecret,
  showFeed,
  testWebhook,
  updateWebhook,
} from "@vitaline/webhooks";
import { answerWith } from "../lib/reply.ts";
import type { Handlers } from "../lib/serve.ts";

export const webhookVerbs: Handlers<typeof webhooks> = {
  listWebhooks: (ctx) => listWebhooks(ctx),
  createWebhook: (ctx, { body }) => createWebhook(ctx, body),
  updateWebhook: (ctx, { params, body, ifMatch }) => updateWebhook(ctx, params.webhookId, body, ifMatch),
  deleteWebhook: (ctx, { params }) => deleteWebhook(ctx, params.webhookId),
  rotateWebhookSecret: (ctx, { params }) => rotateWebhookSecret(ctx, params.webhookId),
  testWebhook: (ctx, { params }) => testWebhook(ctx, params.webhookId),
  listWebhookDeliveries: async (ctx, { query }) => {
    const { rows, next } = await listDeliveries(ctx, query);
    return answerWith(rows, { next });
  },
  replayWebhookDelivery: (ctx, { params }) => replayDelivery(ctx, params.deliveryId),
};

export const calendarFeedVerbs: Handlers<typeof calendarFeeds> = {
  getCalendarFeed: (ctx, { params }) => showFeed(ctx, params.officeId),
  renewCalendarFeed: (ctx, { params }) => renewFeed(ctx, params.officeId),
  endCalendarFeed: (ctx, { params }) => endFeed(ctx, params.officeId),
};
