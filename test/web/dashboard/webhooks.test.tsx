import { screen, within } from "@testing-library/react";
import { webhooks, type DeliveryStatus, type Webhook, type WebhookDelivery } from "@vitaline/contract";
import { describe, expect, test } from "vitest";
import { recordedAt } from "../../kit/screen/demo-answers.ts";
import { refusal, type FakeApi } from "../../kit/screen/fake-api.ts";
import {
  asTenant,
  button,
  dialogOpened,
  eventually,
  fill,
  hasFocus,
  isGone,
  labeled,
  link,
  reads,
  region,
  settled,
  textOf,
  toast,
} from "../../kit/screen/visit.tsx";

const at = recordedAt.toISOString();
const secretOf = (letter: string): string => `whsec_${letter.repeat(43)}=`;
const idOf = (count: number): string => `01m83bhp6c8q9n0124qc6x7h${String(count).padStart(2, "0")}`;
const webhook = (count: number, change: Partial<Webhook> = {}): Webhook => ({
  id: idOf(count),
  url: `https://crm${count}.example/hook`,
  events: ["lead.captured"],
  description: null,
  includeContact: false,
  isActive: true,
  disabledReason: null,
  failingSince: null,
  createdAt: at,
  version: 1,
  ...change,
});
const delivery = (of: Webhook, status: DeliveryStatus, httpStatus: number | null): WebhookDelivery => ({
  id: "01m83bhp6c8q9n0124qc6x7de1",
  webhookId: of.id,
  type: "webhook.test",
  status,
  createdAt: at,
  nextAttemptAt: null,
  code: status === "failed" ? "gone" : null,
  attempts: httpStatus === null ? [] : [{ at, ms: 12, httpStatus, code: status === "failed" ? "gone" : null }],
});

/** A tenant's webhooks and deliveries behind the API. */
const keepWebhooks = (api: FakeApi, given: Webhook[], sent: WebhookDelivery[]) => {
  let kept = given;
  const change = (id: string, to: Partial<Webhook>): Webhook => {
    kept = kept.map((one) => (one.id === id ? { ...one, ...to, version: one.version + 1 } : one));
    return kept.find((one) => one.id === id) as Webhook;
  };
  api.on(webhooks.listWebhooks, () => kept);
  api.on(webhooks.createWebhook, ({ body: { description = null, ...body } }) => {
    const made = webhook(kept.length + 1, { ...body, description });
    kept = [...kept, made];
    return { ...made, secret: secretOf("a") };
  });
  api.on(webhooks.updateWebhook, ({ params, body, ifMatch }) => {
    const { version } = kept.find(({ id }) => id === params.webhookId) as Webhook;
    if (ifMatch !== undefined && ifMatch !== version)
      return refusal(409, { error: "It was changed in the meantime.", code: "stale_version" });
    const said = Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));
    return change(params.webhookId, { ...said, ...(body.isActive && { disabledReason: null }) });
  });
  api.on(webhooks.deleteWebhook, ({ params }) => void (kept = kept.filter(({ id }) => id !== params.webhookId)));
  api.on(webhooks.rotateWebhookSecret, () => ({ secret: secretOf("b"), previousUntil: at }));
  api.on(webhooks.testWebhook, ({ params }) => {
    const made = delivery(webhook(0, { id: params.webhookId }), "pending", null);
    sent.unshift(made);
    return made;
  });
  api.on(webhooks.listWebhookDeliveries, ({ query: { webhookId, status } }) =>
    sent.filter((one) => (webhookId ?? one.webhookId) === one.webhookId && (status ?? one.status) === one.status),
  );
  api.on(webhooks.replayWebhookDelivery, ({ params }) => ({ ...(sent.find(({ id }) => id === params.deliveryId) as WebhookDelivery) }));
  return { now: () => kept, change, sent };
};
const openPanel = async (given: Webhook[] = [], { sent = [], query = "" }: { sent?: WebhookDelivery[]; query?: string } = {}) => {
  const arranged: ReturnType<typeof keepWebhooks>[] = [];
  const opened = await asTenant(`/tenant/developers/webhooks?${query.slice(1)}`, {
    before: (api) => void arranged.push(keepWebhooks(api, given, sent)),
  });
  return { ...opened, hooks: arranged[0] as ReturnType<typeof keepWebhooks> };
};
const panel = () => region("Webhooks");
const deliveries = () => region("Webhook deliveries");
const row = ({ url }: Webhook) =>
  within(screen.getByRole("list", { name: "Webhooks" }))
    .getAllByRole("listitem")
    .find((one) => textOf(one).includes(url)) as HTMLElement;
const act = (of: Webhook, label: string) => button(new RegExp(`^${label}`), row(of));
const question = () => screen.getByRole("alertdialog");
const named = (name: string) => screen.getByRole("dialog", { name });
const hook = webhook(1);

describe("a webhook", () => {
  test("is added once however often it is pressed, with what is wrong said at its field, and its secret shown this once", async () => {
    const { api, user, hooks } = await openPanel();
    await reads(panel, /No webhooks yet/);
    await user.click(button("Add webhook", panel()));
    const form = await dialogOpened();
    const save = () => button("Add webhook", form);
    fill("Address", "https://10.0.0.1/hook", form);
    await user.click(save());
    await reads(form, /At least one event is required/);
    expect(api.received(webhooks.createWebhook)).toEqual([]);
    await user.click(labeled(/^Lead captured/, form));
    await user.click(labeled(/^Call completed/, form));
    fill("Description", "Our CRM", form);
    await user.click(labeled(/^Send contact details of leads/, form));
    const told = "The address must be public.";
    api.once(webhooks.createWebhook, () => refusal(400, { error: told, code: "invalid_request", fields: { url: told } }));
    await user.click(save());
    await reads(form, told);
    expect(labeled("Address", form).getAttribute("aria-invalid")).toBe("true");
    expect(labeled("Description", form).value).toBe("Our CRM");
    fill("Address", "https://crm1.example/hook", form);
    await user.dblClick(save());
    await eventually(() => expect(textOf(named("Signing secret"))).toMatch(/whsec_[A-Za-z0-9+/]{43}=.*webhook-signature/));
    const sent = api.received(webhooks.createWebhook).map(({ body }) => body);
    expect(sent).toHaveLength(2);
    expect(sent[1]).toMatchObject({ url: "https://crm1.example/hook", description: "Our CRM", includeContact: true });
    expect(sent[1]?.events.toSorted()).toEqual(["call.completed", "lead.captured"]);
    await user.click(button("I have stored it"));
    await isGone("dialog");
    await reads(() => row(hook), /Active.*Our CRM.*Call completed.*Lead captured.*With contact details of leads/);
    await hasFocus(() => button("Add webhook", panel()));
    const kept = document.documentElement.innerHTML + JSON.stringify({ ...localStorage, ...sessionStorage });
    expect(kept).not.toContain(secretOf("a"));
    expect(hooks.now()).toHaveLength(1);
  });

  test("is asked about before what was typed gets lost, and stays open where one goes on", async () => {
    const { user } = await openPanel();
    await user.click(button("Add webhook", panel()));
    const form = await dialogOpened();
    await hasFocus(() => labeled("Address", form));
    await user.paste("https://crm.example/");
    await user.keyboard("{Escape}");
    await user.click(button("Keep editing", question()));
    expect(labeled("Address", form).value).toBe("https://crm.example/");
    await user.click(button("Close", form));
    await user.click(button("Discard", question()));
    await isGone("dialog");
    await hasFocus(() => button("Add webhook", panel()));
  });

  test("that was changed meanwhile is not overwritten unseen, and what was typed stays", async () => {
    const { api, user, hooks } = await openPanel([hook]);
    await user.click(act(hook, "Edit"));
    const form = await dialogOpened();
    fill("Description", "Ours", form);
    await user.click(labeled(/^Caller routed/, form));
    hooks.change(hook.id, { description: "Theirs", includeContact: true });
    await user.click(button("Save changes", form));
    await reads(form, /They changed: description, whether contact details are sent\./);
    expect(within(form).getAllByRole("alert").length).toBeGreaterThan(0);
    await reads(() => row(hook), /Theirs/);
    expect(labeled("Description", form).value).toBe("Ours");
    await user.click(button("Save changes", form));
    await isGone("dialog");
    await reads(() => row(hook), /Ours.*Lead captured.*Caller routed.*With contact details/);
    expect(api.received(webhooks.updateWebhook).map(({ ifMatch }) => ifMatch)).toEqual([1, 2]);
    await hasFocus(() => act(hook, "Edit"));
  });

  test("that was changed meanwhile can be loaded as it is now", async () => {
    const { user, hooks } = await openPanel([hook]);
    await user.click(act(hook, "Edit"));
    const form = await dialogOpened();
    fill("Description", "Ours", form);
    await user.click(labeled(/^Caller routed/, form));
    hooks.change(hook.id, { description: "Theirs", events: ["call.completed"], includeContact: true });
    await user.click(button("Save changes", form));
    await user.click(await screen.findByRole("button", { name: "Load their version" }));
    await eventually(() => expect(labeled("Description").value).toBe("Theirs"));
    await hasFocus(() => labeled("Address", form));
    const checks = [/^Caller routed/, /^Lead captured/, /^Call completed/, /^Send contact details/];
    expect(checks.map((label) => labeled(label, form).checked)).toEqual([false, false, true, true]);
    expect(within(form).queryByRole("alert")).toBeNull();
    await user.keyboard("{Escape}");
    await isGone("dialog");
    await hasFocus(() => act(hook, "Edit"));
  });

  test("is switched off and on, and loses its description where that is taken away", async () => {
    const { user, hooks } = await openPanel([{ ...hook, description: "Old words" }]);
    await user.click(act(hook, "Switch off"));
    await reads(() => row(hook), /Inactive/);
    expect(hooks.now()).toMatchObject([{ isActive: false }]);
    expect(within(row(hook)).queryAllByRole("button", { name: /^Send test/ })).toHaveLength(0);
    await user.click(act(hook, "Switch on"));
    await reads(() => row(hook), /\bActive/);
    await user.click(act(hook, "Edit"));
    const form = await dialogOpened();
    fill("Description", "", form);
    await user.click(button("Save changes", form));
    await isGone("dialog");
    await eventually(() => expect(textOf(row(hook))).not.toContain("Old words"));
    expect(hooks.now()).toMatchObject([{ isActive: true, description: null }]);
  });

  test("gets another secret after a question", async () => {
    const { api, user } = await openPanel([hook]);
    await user.click(act(hook, "Rotate secret"));
    await reads(question, /Rotate secret\?.*carries both signatures/);
    await user.dblClick(button("Rotate secret", question()));
    await eventually(() => expect(textOf(named("Signing secret"))).toMatch(/whsec_.*both signatures/));
    expect(api.received(webhooks.rotateWebhookSecret)).toHaveLength(1);
    await user.keyboard("{Escape}");
    await reads(question, /Close without copying it\?/);
    await user.click(button("Keep it open", question()));
    await isGone("alertdialog");
    expect(textOf(named("Signing secret"))).toContain(secretOf("b"));
    await user.click(within(named("Signing secret")).getAllByRole("button", { name: "Close" })[0] as HTMLElement);
    await user.click(button("Close", question()));
    await isGone("dialog");
    await hasFocus(() => act(hook, "Rotate secret"));
  });

  test("is deleted after a question alone", async () => {
    const { user, hooks } = await openPanel([hook]);
    await user.click(act(hook, "Delete"));
    await reads(question, /Delete webhook\?.*cannot be undone/);
    await user.keyboard("{Escape}");
    await isGone("alertdialog");
    expect(hooks.now()).toHaveLength(1);
    await user.click(act(hook, "Delete"));
    await user.click(button("Delete webhook", question()));
    await reads(panel, /No webhooks yet/);
    await hasFocus(() => button("Add webhook", panel()));
    expect(hooks.now()).toEqual([]);
  });

  test("list that does not load says so, leaves the rest alone, and loads when asked again", async () => {
    const { user } = await asTenant("/tenant/developers/webhooks", {
      before: (api) => {
        keepWebhooks(api, [hook], []);
        api.once(webhooks.listWebhooks, () => refusal(503, { error: "Not now." }));
      },
    });
    await reads(panel, /Failed to load webhooks.*Not now\./);
    expect(link("Test a tool")).toBeTruthy();
    await user.click(button("Retry", panel()));
    await reads(() => row(hook), /Active/);
    expect(within(panel()).queryAllByRole("alert")).toHaveLength(0);
  });
});

describe("what was sent", () => {
  const rows = () => within(within(deliveries()).getByRole("table")).getAllByRole("row").slice(1);
  const firstRow = () => rows()[0] as HTMLElement;

  test("is listed with its attempts, and is sent again under the same id", async () => {
    const { api, user, hooks } = await openPanel([hook]);
    await reads(deliveries, /No deliveries yet/);
    await user.click(act(hook, "Send test"));
    await reads(toast, "Test is on its way");
    expect(api.received(webhooks.testWebhook)).toMatchObject([{ params: { webhookId: hook.id } }]);
    hooks.sent[0] = delivery(hook, "delivered", 204);
    await user.click(button("Refresh deliveries", deliveries()));
    await reads(firstRow, /Test.*crm1\.example.*Delivered.*Answered 204.*1/);
    await user.click(button(/^Open/, firstRow()));
    const detail = await dialogOpened();
    await reads(detail, new RegExp(`Delivered.*${hooks.sent[0].id}.*Answered 204.*ms`));
    await user.dblClick(button("Send again", detail));
    await reads(toast, "Delivery is being sent again");
    await hasFocus(() => button(/^Open/, firstRow()));
    expect(api.received(webhooks.replayWebhookDelivery).map(({ params }) => params.deliveryId)).toEqual([hooks.sent[0].id]);
  });

  test("in vain to a receiver that is gone says why, and is filtered by the address", async () => {
    const gone = webhook(2, { isActive: false, disabledReason: "gone" });
    const sent = [delivery(gone, "failed", 410)];
    const { user } = await openPanel([gone, hook], { sent, query: `&webhook=${gone.id}&delivery=failed` });
    await reads(() => row(gone), /Inactive.*answered 410/);
    await reads(deliveries, "1 delivery shown, that is all");
    await reads(firstRow, /Failed.*Answered 410/);
    await user.click(button(/^Open/, firstRow()));
    await reads(await dialogOpened(), /can be sent again once its webhook is switched on/);
    await user.keyboard("{Escape}");
    await isGone("dialog");
    await user.selectOptions(labeled("Status", deliveries()), "pending");
    await reads(deliveries, /No deliveries match/);
    expect(new URL(location.href).searchParams.get("delivery")).toBe("pending");
    await user.selectOptions(labeled("Status", deliveries()), "");
    await eventually(() => expect(textOf(firstRow())).toMatch(/Failed/));
    await user.click(act(gone, "Switch on"));
    await reads(() => row(gone), /\bActive/);
    await settled();
    expect(textOf(row(gone))).not.toContain("410");
  });

  test("is not filtered by what the address names and is not there", async () => {
    await openPanel([hook], { query: "&webhook=01hzzzzzzzzzzzzzzzzzzzzzz2&delivery=nonsense" });
    expect(labeled<HTMLSelectElement>("Webhook", deliveries()).value).toBe("");
    expect(labeled<HTMLSelectElement>("Status", deliveries()).value).toBe("");
  });
});
