import type { Page, Request } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { startReceiver, verified, type Receiver } from "../../packages/webhooks/receiver.fixture.ts";
import { open, patience, reads, settled } from "./look.fixture.ts";
import { addTenant } from "./people.fixture.ts";
import { openSite, type Login, type Site } from "./site.fixture.ts";

let receiver: Receiver;
let site: Site;
let clinic: Login;
beforeAll(async () => {
  receiver = await startReceiver();
  site = await openSite({ egress: [receiver.origin] });
  clinic = await addTenant(site, "Hooked Clinic");
});
afterAll(async () => {
  await site?.close();
  await receiver?.close();
});

const ask = async <T>(method: string, path: string, body?: object) =>
  site.api<T>(method, `/api/tenant${path}`, { token: await site.tokenFor(clinic), ...(body && { body }) });
type Listed = { id: string; url: string; isActive: boolean };
const listed = async () => (await ask<Listed[]>("GET", "/webhooks")).json;
/** A webhook to begin with, as another administrator has added it. */
const given = async (path: string, more: object = {}) =>
  (await ask<Listed & { secret: string }>("POST", "/webhooks", { url: receiver.origin + path, events: ["lead.captured"], ...more })).json;
beforeEach(async () => {
  for (const { id } of await listed()) await ask("DELETE", `/webhooks/${id}`);
});

/** Deliveries leave within a minute. */
const untilSent = { timeout: 90_000, interval: 500 };
const panelOf = (page: Page) => page.getByRole("region", { name: "Webhooks", exact: true });
const deliveriesOf = (page: Page) => page.getByRole("region", { name: "Webhook deliveries", exact: true }).first();
const openPanel = (page: Page, query = "") => open(page, `/tenant?tab=api-keys${query}`);
const rowOf = (page: Page, path: string) =>
  panelOf(page)
    .getByRole("listitem")
    .filter({ hasText: receiver.origin + path });
const act = (page: Page, path: string, label: string) =>
  rowOf(page, path)
    .getByRole("button", { name: new RegExp(`^${label}`) })
    .click();
const focused = (page: Page) => page.evaluate(() => document.activeElement?.textContent);
const toast = (page: Page) => page.getByRole("region", { name: /notifications/i }).first();
const sent = (page: Page, method: string, end: RegExp): Request[] => {
  const asked: Request[] = [];
  page.on("request", (request) => void (request.method() === method && end.test(new URL(request.url()).pathname) && asked.push(request)));
  return asked;
};

describe("a webhook", () => {
  test("is added once however often one presses, after what is wrong was said at its field; its secret is shown this once", async () => {
    await site.visit({ as: clinic, refused: ["400 POST /api/tenant/webhooks"] }, async ({ page }) => {
      await openPanel(page);
      await reads(panelOf(page), /No webhooks yet/);
      const asked = sent(page, "POST", /\/webhooks$/);
      await panelOf(page).getByRole("button", { name: "Add webhook" }).click();
      const dialog = page.getByRole("dialog", { name: "Add webhook" });
      const save = dialog.getByRole("button", { name: "Add webhook" });
      await dialog.getByLabel("Address").fill("https://10.0.0.1/hook");
      await save.click();
      await reads(dialog, /At least one event is required/);
      expect(asked).toEqual([]);
      await dialog.getByLabel("Lead captured").check();
      await dialog.getByLabel("Call completed").check();
      await dialog.getByLabel("Description").fill("Our CRM");
      await dialog.getByLabel("Send contact details of leads").check();
      await save.click();
      await reads(dialog, /address/i);
      await expect.poll(() => asked.length, patience).toBe(1);
      await expect.poll(() => dialog.getByLabel("Address").getAttribute("aria-invalid"), patience).toBe("true");
      expect(await dialog.getByLabel("Description").inputValue()).toBe("Our CRM");
      await dialog.getByLabel("Address").fill(`${receiver.origin}/crm`);
      await save.dblclick();
      const secret = page.getByRole("dialog", { name: "Signing secret" });
      await reads(secret, /whsec_[A-Za-z0-9+/]{43}=[^]*webhook-signature/);
      expect(asked).toHaveLength(2);
      const [shown = ""] = (await secret.innerText()).match(/whsec_\S+/) ?? [];
      await secret.getByRole("button", { name: "I have stored it" }).click();
      await reads(rowOf(page, "/crm"), /Active[^]*Our CRM[^]*Call completed[^]*Lead captured[^]*With contact details of leads/);
      await expect.poll(() => focused(page), patience).toBe("Add webhook");
      expect(await page.content()).not.toContain(shown);
      expect(await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }))).not.toContain(shown);
      expect(await listed()).toHaveLength(1);
    });
  });

  test("is asked for before what was typed gets lost, and stays when one goes on", async () => {
    await site.visit({ as: clinic }, async ({ page }) => {
      await openPanel(page);
      await panelOf(page).getByRole("button", { name: "Add webhook" }).click();
      const dialog = page.getByRole("dialog", { name: "Add webhook" });
      expect(await page.evaluate(() => document.activeElement?.getAttribute("name"))).toBe("url");
      await page.keyboard.type("https://crm.example/");
      await page.keyboard.press("Escape");
      await page.getByRole("alertdialog").getByRole("button", { name: "Keep editing" }).click();
      expect(await dialog.getByLabel("Address").inputValue()).toBe("https://crm.example/");
      await dialog.getByRole("button", { name: "Close" }).click();
      await page.getByRole("alertdialog").getByRole("button", { name: "Discard" }).click();
      await expect.poll(() => dialog.count(), patience).toBe(0);
      await expect.poll(() => focused(page), patience).toBe("Add webhook");
    });
  });

  test("that somebody else has changed meanwhile is not overwritten unseen, and what was typed stays", async () => {
    const { id } = await given("/edited");
    await site.visit({ as: clinic, refused: [`409 PUT /api/tenant/webhooks/${id}`] }, async ({ page }) => {
      await openPanel(page);
      await act(page, "/edited", "Edit");
      const dialog = page.getByRole("dialog", { name: "Edit webhook" });
      await dialog.getByLabel("Description").fill("Ours");
      await dialog.getByLabel("Caller routed").check();
      await ask("PUT", `/webhooks/${id}`, { description: "Theirs", includeContact: true });
      await dialog.getByRole("button", { name: "Save changes" }).click();
      await reads(dialog.getByRole("alert").first(), /\w+/);
      await reads(dialog, /They changed: description, whether contact details are sent\./);
      await reads(rowOf(page, "/edited"), /Theirs/);
      expect(await dialog.getByLabel("Description").inputValue()).toBe("Ours");
      await dialog.getByRole("button", { name: "Save changes" }).click();
      await reads(rowOf(page, "/edited"), /Ours[^]*Lead captured[^]*Caller routed[^]*With contact details/);
      await expect.poll(() => focused(page), patience).toMatch(/^Edit/);
    });
  });

  test("that somebody else has changed meanwhile can be loaded as it is now", async () => {
    const { id } = await given("/theirs");
    await site.visit({ as: clinic, refused: [`409 PUT /api/tenant/webhooks/${id}`] }, async ({ page }) => {
      await openPanel(page);
      await act(page, "/theirs", "Edit");
      const dialog = page.getByRole("dialog", { name: "Edit webhook" });
      await dialog.getByLabel("Description").fill("Ours");
      await ask("PUT", `/webhooks/${id}`, { description: "Theirs" });
      await dialog.getByRole("button", { name: "Save changes" }).click();
      await dialog.getByRole("button", { name: "Load their version" }).click();
      await expect.poll(() => dialog.getByLabel("Description").inputValue(), patience).toBe("Theirs");
      await page.keyboard.press("Escape");
      await expect.poll(() => dialog.count(), patience).toBe(0);
      await expect.poll(() => focused(page), patience).toMatch(/^Edit/);
    });
  });

  test("is switched off and on, and loses its description where that is taken away", async () => {
    await given("/switched", { description: "Old words" });
    await site.visit({ as: clinic }, async ({ page }) => {
      await openPanel(page);
      await act(page, "/switched", "Switch off");
      await reads(rowOf(page, "/switched"), /Inactive/);
      expect((await listed())[0]).toMatchObject({ isActive: false });
      expect(
        await rowOf(page, "/switched")
          .getByRole("button", { name: /^Send test/ })
          .count(),
      ).toBe(0);
      await act(page, "/switched", "Switch on");
      await reads(rowOf(page, "/switched"), /\bActive/);
      await act(page, "/switched", "Edit");
      await page.getByRole("dialog").getByLabel("Description").fill("");
      await page.getByRole("dialog").getByRole("button", { name: "Save changes" }).click();
      await expect.poll(() => rowOf(page, "/switched").innerText(), patience).not.toContain("Old words");
      expect((await listed())[0]).toMatchObject({ isActive: true, description: null });
    });
  });

  test("gets another secret after a question, and goes after one", async () => {
    await given("/rotated");
    await site.visit({ as: clinic }, async ({ page }) => {
      await openPanel(page);
      const asked = sent(page, "POST", /rotate-secret$/);
      await act(page, "/rotated", "Rotate secret");
      const question = page.getByRole("alertdialog", { name: "Rotate secret?" });
      await reads(question, /signatures of both/);
      await question.getByRole("button", { name: "Rotate secret" }).dblclick();
      const secret = page.getByRole("dialog", { name: "Signing secret" });
      await reads(secret, /whsec_[^]*both signatures/);
      expect(asked).toHaveLength(1);
      await page.keyboard.press("Escape");
      const uncopied = page.getByRole("alertdialog", { name: "Close without copying it?" });
      await uncopied.getByRole("button", { name: "Keep it open" }).click();
      await expect.poll(() => uncopied.count(), patience).toBe(0);
      await reads(secret, /whsec_/);
      await secret.getByRole("button", { name: "Close" }).click();
      await uncopied.getByRole("button", { name: "Close" }).click();
      await expect.poll(() => secret.count(), patience).toBe(0);
      await expect.poll(() => focused(page), patience).toMatch(/^Rotate secret/);
      await act(page, "/rotated", "Delete");
      const deletion = page.getByRole("alertdialog", { name: "Delete webhook?" });
      await reads(deletion, /cannot be undone/);
      await page.keyboard.press("Escape");
      await expect.poll(() => deletion.count(), patience).toBe(0);
      expect(await listed()).toHaveLength(1);
      await act(page, "/rotated", "Delete");
      await page.getByRole("alertdialog").getByRole("button", { name: "Delete webhook" }).click();
      await reads(panelOf(page), /No webhooks yet/);
      await expect.poll(() => focused(page), patience).toBe("Add webhook");
      expect(await listed()).toEqual([]);
    });
  });

  test("of another tenant is never shown", async () => {
    const other = await addTenant(site, "Unhooked Clinic");
    await given("/ours");
    await site.visit({ as: other }, async ({ page }) => {
      await openPanel(page);
      await reads(panelOf(page), /No webhooks yet/);
      await reads(deliveriesOf(page), /No deliveries yet/);
      expect(await page.content()).not.toContain("/ours");
    });
  });

  test("list that does not load says so, leaves the rest alone, and loads when asked again", async () => {
    await given("/again");
    await site.visit({ as: clinic, refused: ["503 GET /api/tenant/webhooks"] }, async ({ page }) => {
      let isDown = true;
      await page.route("**/api/tenant/webhooks", (route) =>
        isDown ? route.fulfill({ status: 503, json: { error: "Not now.", code: "unavailable", requestId: "r" } }) : route.continue(),
      );
      await openPanel(page);
      await reads(panelOf(page), /Failed to load webhooks[^]*Not now\./);
      await reads(page.getByRole("region", { name: "Test a tool" }), /Run tool/);
      isDown = false;
      await panelOf(page).getByRole("button", { name: "Retry" }).click();
      await reads(rowOf(page, "/again"), /Active/);
      expect(await panelOf(page).getByRole("alert").count()).toBe(0);
    });
  });
});

describe("what was sent", () => {
  const rows = (page: Page) => deliveriesOf(page).getByRole("table").getByRole("row");
  const refresh = async (page: Page) => {
    await deliveriesOf(page).getByRole("button", { name: "Refresh deliveries" }).click();
    await settled(page);
  };

  test("is listed with its attempts, and is sent again under the same id", async () => {
    const { secret } = await given("/desk");
    await site.visit({ as: clinic }, async ({ page }) => {
      await openPanel(page);
      await reads(deliveriesOf(page), /No deliveries yet|Deleted webhook/);
      await act(page, "/desk", "Send test");
      await reads(toast(page), "Test is on its way");
      await expect.poll(() => receiver.at("/desk").length, untilSent).toBe(1);
      expect(verified(secret, receiver.at("/desk")[0]!)).toMatchObject({ type: "webhook.test" });
      await expect
        .poll(async () => (await refresh(page), rows(page).nth(1).innerText()), untilSent)
        .toMatch(/Test[^]*\/desk[^]*Delivered[^]*Answered 204[^]*1/);
      await rows(page).nth(1).getByRole("button", { name: /^Open/ }).click();
      const detail = page.getByRole("dialog", { name: "Test" });
      await reads(detail, new RegExp(`Delivered[^]*${receiver.at("/desk")[0]!.id}[^]*Answered 204[^]*ms`));
      const asked = sent(page, "POST", /\/replay$/);
      await detail.getByRole("button", { name: "Send again" }).dblclick();
      await reads(toast(page), "Delivery is on its way again");
      expect(await focused(page)).toMatch(/^Open/);
      await expect.poll(() => receiver.at("/desk").length, untilSent).toBe(2);
      expect(new Set(receiver.at("/desk").map(({ id }) => id)).size).toBe(1);
      expect(asked).toHaveLength(1);
    });
  }, 300_000);

  test("in vain to a receiver that is gone switches the webhook off, and it says why", async () => {
    receiver.answers("/gone", 410);
    const { id } = await given("/gone");
    await given("/other");
    await ask("POST", `/webhooks/${id}/test`);
    await expect.poll(async () => (await listed()).find((one) => one.id === id)?.isActive, untilSent).toBe(false);
    await site.visit({ as: clinic }, async ({ page }) => {
      await openPanel(page, `&webhook=${id}&delivery=failed`);
      await reads(rowOf(page, "/gone"), /Inactive[^]*answered 410/);
      await reads(deliveriesOf(page), /1 deliveries shown, that is all|1 delivery/);
      await reads(rows(page).nth(1), /Failed[^]*Answered 410/);
      await rows(page).nth(1).getByRole("button", { name: /^Open/ }).click();
      await reads(page.getByRole("dialog"), /can be sent again once its webhook is switched on/);
      await page.keyboard.press("Escape");
      await deliveriesOf(page).getByLabel("Status").selectOption("pending");
      await reads(deliveriesOf(page), /No deliveries match/);
      expect(new URL(page.url()).searchParams.get("delivery")).toBe("pending");
      await deliveriesOf(page).getByLabel("Status").selectOption("");
      await reads(rows(page).nth(1), /Failed/);
      await openPanel(page, "&webhook=01hzzzzzzzzzzzzzzzzzzzzzz2&delivery=nonsense");
      expect(await deliveriesOf(page).getByLabel("Webhook", { exact: true }).inputValue()).toBe("");
      await act(page, "/gone", "Switch on");
      await reads(rowOf(page, "/gone"), /\bActive/);
      expect(await rowOf(page, "/gone").innerText()).not.toContain("410");
    });
  }, 300_000);
});
