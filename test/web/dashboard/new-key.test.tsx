import { screen, within } from "@testing-library/react";
import { apiKeys, tenant } from "@vitaline/contract";
import { describe, expect, test, vi } from "vitest";
import { demo } from "../../kit/screen/demo-answers.ts";
import { refusal, Reply, type FakeApi } from "../../kit/screen/fake-api.ts";
import { demoKey, keepKeys, keyPart, keyText, wholeKey } from "../../kit/screen/keys.ts";
import {
  asTenant,
  button,
  eventually,
  holdTime,
  hasFocus,
  isGone,
  labeled,
  reads,
  settled,
  textOf,
  toast,
} from "../../kit/screen/visit.tsx";
import { proves } from "../../requirements/proves.ts";

const sentence =
  "Are you sure you want to regenerate the API key? This will invalidate the current key and break all existing integrations until updated.";
const question = () => screen.getByRole("alertdialog");
const agree = () => button("Regenerate API Key", question());
const regenerateButton = () => button("Regenerate API Key", keyPart());
const sent = (api: FakeApi) => api.received(tenant.regenerateApiKey).map(({ body }) => body);
const lost = (): never => {
  throw new TypeError("The connection was lost");
};
const isShown = () => eventually(() => expect(keyText()).toMatch(wholeKey));

const openKeys = async () => {
  const arranged: ReturnType<typeof keepKeys>[] = [];
  const opened = await asTenant("/tenant?tab=api-keys", { before: (api) => void arranged.push(keepKeys(api)) });
  return { ...opened, keys: arranged[0] as ReturnType<typeof keepKeys> };
};
const openQuestion = async () => {
  const opened = await openKeys();
  await opened.user.click(regenerateButton());
  await reads(question, /Are you sure/);
  return opened;
};

describe("a new key", () => {
  proves("D1.2-082", async () => {
    await openKeys();
    const warning = within(keyPart()).getByText("A new key replaces this one everywhere");
    expect(warning.compareDocumentPosition(regenerateButton())).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
  });
  proves("D1.2-083", async ({ sees }) => {
    await openKeys();
    expect(textOf(regenerateButton())).toBe("Regenerate API Key");
    sees(textOf(regenerateButton()));
  });

  test("is asked about first, and nothing is sent where the answer is no", async () => {
    const { api, user } = await openQuestion();
    expect(textOf(question())).toContain(sentence);
    await user.click(button("Cancel", question()));
    await isGone("alertdialog");
    regenerateButton().focus();
    await user.keyboard("{Enter}");
    await reads(question, sentence);
    await user.keyboard("{Escape}");
    await isGone("alertdialog");
    await hasFocus(regenerateButton);
    expect(sent(api)).toEqual([]);
  });

  proves("D1.4-014", async ({ sees }) => {
    const { api, user } = await openKeys();
    expect(textOf(regenerateButton())).toBe("Regenerate API Key");
    await user.click(regenerateButton());
    const held = api.hold(tenant.regenerateApiKey);
    await user.click(agree());
    await reads(question, "Regenerating...");
    sees(textOf(question()));
    held.release();
    await isShown();
    await reads(toast, "API Key Regenerated");
    expect(keyText()).not.toBe(demoKey);
    expect(textOf(regenerateButton())).toBe("Regenerate API Key");
    api.once(tenant.regenerateApiKey, () => refusal(503));
    await user.click(regenerateButton());
    await user.click(agree());
    await reads(question, /Failed to regenerate/);
  });
  proves("D1.4-015", async ({ sees }) => {
    const { api, user } = await openQuestion();
    api.on(tenant.regenerateApiKey, lost);
    const held = api.hold(tenant.regenerateApiKey);
    await user.click(agree());
    await reads(keyPart, "Regenerating...");
    sees(textOf(keyPart()));
    for (const name of [/^Cancel/, /^Regenerating/]) expect(button(name, question()).getAttribute("aria-disabled")).toBe("true");
    await user.keyboard("{Escape}");
    await user.click(button("Cancel", question()));
    expect(textOf(question())).toContain("Regenerating...");
    held.release();
    await reads(question, /Failed to regenerate/);
  });
  proves("D1.4-016", async () => {
    const { api, user, keys } = await openQuestion();
    localStorage.setItem("tenant_api_key", demoKey);
    const looked = api.received(tenant.tenantInfo).length;
    await user.dblClick(agree());
    await isShown();
    expect(keyText()).toBe(keys.current());
    expect(keyText()).not.toBe(demoKey);
    expect(sent(api)).toEqual([{ overlapSeconds: 0 }]);
    await eventually(() => expect(api.received(tenant.tenantInfo)).toHaveLength(looked + 1));
    await reads(keyPart, `Ending in ${keys.current().slice(-4)}`);
    expect(button("Hide API key")).toBeTruthy();
    expect(localStorage.getItem("tenant_api_key")).toBeNull();
  });
  proves("D1.8-008", async ({ sees }) => {
    const { user } = await openQuestion();
    await user.click(agree());
    await reads(toast, /API Key Regenerated Your new API key has been generated successfully\./);
    sees(textOf(toast()));
  });
  proves("D1.8-009", async ({ sees }) => {
    const { user } = await openQuestion();
    await user.click(agree());
    await reads(keyPart, /New API key generated successfully/);
    expect(keyText()).toMatch(wholeKey);
    sees(textOf(keyPart()));
  });
  proves("D1.8-006", async ({ sees }) => {
    const { api, user, keys } = await openQuestion();
    const told = { error: "Too many new keys. Wait a minute.", code: "too_many_requests", requestId: "req-new" };
    api.once(tenant.regenerateApiKey, () => refusal(429, told));
    await user.click(agree());
    await reads(toast, /Error Too many new keys\. Wait a minute\./);
    await reads(question, /Too many new keys.*req-new/);
    api.once(tenant.regenerateApiKey, () => new Reply("", { status: 503 }));
    await user.click(agree());
    await reads(toast, /Error Failed to regenerate API key(?!\.)/);
    sees(textOf(toast()));
    expect(keys.current()).toBe(demoKey);
  });
  proves("D1.8-007", async ({ sees }) => {
    const { api, user } = await openQuestion();
    api.once(tenant.regenerateApiKey, () => new Reply("", { status: 503 }));
    await user.selectOptions(labeled("Old key stops working"), "In 24 hours");
    await user.click(agree());
    await reads(() => within(question()).getByRole("alert"), /Failed to regenerate API key\. Please try again\./);
    sees(textOf(question()));
    expect(labeled<HTMLSelectElement>("Old key stops working").value).toBe("86400");
    await user.click(agree());
    await isShown();
    expect(sent(api)).toEqual([{ overlapSeconds: 86_400 }, { overlapSeconds: 86_400 }]);
  });

  test("leaves the old one to work as long as was chosen, with its time, until it is revoked", async () => {
    const { api, user } = await openKeys();
    const ending = demoKey.slice(-4);
    holdTime();
    await user.click(regenerateButton());
    await user.selectOptions(labeled("Old key stops working"), "In 1 hour");
    await reads(question, /keeps working until/);
    await user.dblClick(agree());
    await isShown();
    expect(sent(api)).toEqual([{ overlapSeconds: 3600 }]);

    const row = () =>
      within(keyPart())
        .getAllByRole("listitem")
        .find((one) => textOf(one).includes(`Key ending in ${ending}`)) ?? null;
    await reads(row, /(1 h 0|5\d) min.* left/);
    await settled();
    vi.advanceTimersByTime(600_000);
    await reads(row, /(49|50) min.* left/);

    await user.click(regenerateButton());
    await reads(question, new RegExp(`ending in ${ending} still works`));
    await user.keyboard("{Escape}");
    await isGone("alertdialog");

    await user.click(button(/^Revoke now/, keyPart()));
    await reads(question, /refused from now on/);
    await user.click(button("Revoke now", question()));
    await reads(toast, "API Key Revoked");
    expect(api.received(apiKeys.revokeApiKey)).toHaveLength(1);
    await hasFocus(() => screen.getByRole("heading", { name: "Former keys" }));
    await reads(keyPart, /No former key still works/);
    await user.click(within(keyPart()).getByText("1 ended in the last 30 days"));
    await reads(screen.getByRole("list", { name: "Former keys that have ended" }), new RegExp(`${ending} ?Ended`));
  });

  test("whose answer was lost is found, and is not made a second time", async () => {
    const { api, user, keys } = await openQuestion();
    api.on(tenant.regenerateApiKey, ({ body }) => {
      keys.replace(body.overlapSeconds);
      return lost();
    });
    await user.click(agree());
    await isShown();
    expect(keyText()).toBe(keys.current());
    expect(sent(api)).toHaveLength(1);
    await reads(toast, "API Key Regenerated");
  });

  test("that was made and cannot be read is not said to have failed", async () => {
    const { api, user, keys } = await openQuestion();
    api.on(tenant.regenerateApiKey, () => {
      keys.replace();
      return lost();
    });
    api.once(tenant.tenantInfo, () => refusal(503));
    await user.click(agree());
    await reads(keyPart, /was replaced, but the new one could not be read just now\. Press Show/);
    await isGone("alertdialog");
    await user.click(button("Show API key"));
    await isShown();
    expect(keyText()).toBe(keys.current());
  });

  test("keeps its place when a look at the old one is answered only then", async () => {
    const { api, user, keys } = await openKeys();
    const gate = Promise.withResolvers<void>();
    api.once(tenant.tenantInfo, async () => {
      const answer = { ...demo("tenant_admin", tenant.tenantInfo), apiKey: demoKey };
      await gate.promise;
      return answer;
    });
    await user.click(button("Show API key"));
    expect(button("Showing... API key")).toBeTruthy();
    await user.click(regenerateButton());
    await user.click(agree());
    await isShown();
    expect(keyText()).toBe(keys.current());
    gate.resolve();
    await settled();
    expect(keyText()).toBe(keys.current());
    expect(keyText()).not.toBe(demoKey);
  });
});
