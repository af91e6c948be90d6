import type { Page } from "playwright-core";
import { open, reads } from "../../kit/browser/site.ts";
import { asTenant, type Look } from "../../kit/browser/axe.ts";

const idOf = (last: string): string => `01hzzzzzzzzzzzzzzzzzzzzzz${last}`;
const at = (minute: number): string => `2026-05-01T10:${String(minute).padStart(2, "0")}:00.000Z`;
const secret = `whsec_${"k7Jq".repeat(10)}abc=`;

const webhook = {
  id: idOf("1"),
  url: "https://crm.example/hooks/vitaline/appointments-and-leads",
  events: [
    "call.completed",
    "appointment.booked",
    "appointment.changed",
    "appointment.cancelled",
    "lead.captured",
    "task.created",
    "routing.logged",
  ],
  description: "The CRM of both practices",
  includeContact: true,
  isActive: true,
  disabledReason: null,
  failingSince: null,
  createdAt: at(0),
  version: 1,
};
const webhooks = [
  webhook,
  {
    ...webhook,
    id: idOf("2"),
    url: "https://automation.example/a/very-long-secret-path/0123456789abcdef0123456789abcdef",
    description: null,
    events: ["lead.captured"],
    includeContact: false,
    failingSince: at(3),
  },
  { ...webhook, id: idOf("3"), url: "https://old.example/", description: null, isActive: false, disabledReason: "gone" },
];

const delivered = { at: at(9), ms: 143, httpStatus: 204, code: null };
const refused = { at: at(4), ms: 10_004, httpStatus: null, code: "outbound_timeout" };
const delivery = {
  id: idOf("a"),
  webhookId: idOf("1"),
  type: "appointment.booked",
  status: "delivered",
  createdAt: at(8),
  nextAttemptAt: null,
  code: null,
  attempts: [delivered],
};
const deliveries = [
  delivery,
  {
    ...delivery,
    id: idOf("b"),
    webhookId: idOf("2"),
    type: "lead.captured",
    status: "pending",
    nextAttemptAt: at(20),
    code: "outbound_timeout",
    attempts: [refused, { ...refused, at: at(6), ms: 1204, httpStatus: 500, code: "http_status" }],
  },
  { ...delivery, id: idOf("c"), webhookId: idOf("3"), type: "webhook.test", status: "failed", code: "webhook_inactive", attempts: [] },
  { ...delivery, id: idOf("d"), webhookId: idOf("9"), type: "call.completed" },
];

const panelOf = (page: Page) => page.getByRole("region", { name: "Webhooks", exact: true });
const openFull = async (page: Page) => {
  await page.route("**/api/tenant/webhooks", (route) => route.fulfill({ json: webhooks }));
  await page.route("**/api/tenant/webhook-deliveries?*", (route) => route.fulfill({ json: deliveries }));
  await open(page, "/tenant/developers/webhooks");
  await reads(panelOf(page), /crm\.example/);
};
const act = (page: Page, label: string) =>
  panelOf(page)
    .getByRole("button", { name: new RegExp(`^${label}`) })
    .first()
    .click();

export const webhookLooks: Look[] = [
  { name: "webhooks in every state, with deliveries", as: asTenant, arrange: openFull },
  {
    name: "a webhook that lacks something",
    as: asTenant,
    arrange: async (page) => {
      await openFull(page);
      await panelOf(page).getByRole("button", { name: "Add webhook" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Add webhook" }).click();
      await reads(page.getByRole("dialog"), /At least one event is required/);
    },
  },
  {
    name: "a webhook's new secret",
    as: asTenant,
    arrange: async (page) => {
      await page.route("**/rotate-secret", (route) => route.fulfill({ json: { secret, previousUntil: at(50) } }));
      await openFull(page);
      await act(page, "Rotate secret");
      await page.getByRole("alertdialog").getByRole("button", { name: "Rotate secret" }).click();
      await reads(page.getByRole("dialog", { name: "Signing secret" }), /whsec_/);
    },
  },
  {
    name: "a question before a secret goes that was not copied",
    as: asTenant,
    arrange: async (page) => {
      await page.route("**/rotate-secret", (route) => route.fulfill({ json: { secret, previousUntil: at(50) } }));
      await openFull(page);
      await act(page, "Rotate secret");
      await page.getByRole("alertdialog").getByRole("button", { name: "Rotate secret" }).click();
      await page.getByRole("dialog", { name: "Signing secret" }).getByRole("button", { name: "Close" }).click();
      await reads(page.getByRole("alertdialog"), /not shown again/);
    },
  },
  {
    name: "a webhook with an edit conflict",
    as: asTenant,
    refused: [`409 PUT /api/tenant/webhooks/${webhook.id}`],
    arrange: async (page) => {
      await openFull(page);
      await act(page, "Edit");
      const dialog = page.getByRole("dialog", { name: "Edit webhook" });
      await dialog.getByLabel("Description").fill("Ours");
      const problem = { error: "It was changed in the meantime.", code: "stale_version", requestId: "0123456789abcdef" };
      await page.route(`**/api/tenant/webhooks/${webhook.id}`, (route) => route.fulfill({ status: 409, json: problem }));
      const theirs = [{ ...webhook, description: "Theirs", version: 2 }];
      await page.route("**/api/tenant/webhooks", (route) => route.fulfill({ json: theirs }));
      await dialog.getByRole("button", { name: "Save changes" }).click();
      await reads(dialog, /They changed: description/);
    },
  },
  {
    name: "a question before a webhook is deleted",
    as: asTenant,
    arrange: async (page) => {
      await openFull(page);
      await act(page, "Delete");
      await reads(page.getByRole("alertdialog"), /cannot be undone/);
    },
  },
  {
    name: "a delivery with its attempts",
    as: asTenant,
    arrange: async (page) => {
      await openFull(page);
      await page.getByRole("button", { name: /^Open Lead captured/ }).click();
      await reads(page.getByRole("dialog"), /Answered 500/);
    },
  },
];
