import { screen, within } from "@testing-library/react";
import { type TenantRequest, tenantFhirProviders, tenantRequests } from "@vitaline/contract";
import { describe, expect, test } from "vitest";
import { page, refusal } from "../../kit/screen/fake-api.ts";
import {
  asTenant,
  button,
  dialog,
  dialogOpened,
  eventually,
  fill,
  labeled,
  link,
  reads,
  region,
  settled,
  textOf,
  toast,
} from "../../kit/screen/visit.tsx";

const asked: TenantRequest = {
  ...{ id: "01hzzzzzzzzzzzzzzzzzzzzzr1", createdAt: "2026-05-04T09:00:00.000Z", kind: "record_system", status: "open" },
  ...{ message: "We use <b>Epic</b>.", requestedBy: "Ann Lee", answers: [], version: 1 },
};
const answered: TenantRequest = {
  ...{ ...asked, id: "01hzzzzzzzzzzzzzzzzzzzzzr2", kind: "plan", status: "declined", version: 2 },
  answers: [{ at: "2026-05-05T09:00:00.000Z", from: "platform", by: null, status: "declined", note: "Your plan is the largest." }],
};
const rows = (): string[] =>
  within(screen.getByRole("list", { name: "Requests" }))
    .getAllByRole("listitem")
    .map(textOf);

describe("requests to the platform", () => {
  test("are listed with their status, the words as text, and each answer", async () => {
    const { user } = await asTenant("/tenant/settings/requests", {
      before: (api) => api.on(tenantRequests.listRequests, () => [answered, asked]),
    });
    expect(rows()[0]).toMatch(/^Plan Declined/);
    await user.click(screen.getByText("Plan"));
    expect(textOf(region("Requests"))).toMatch(/The platform: Declined, .* Your plan is the largest\./);
    await user.click(screen.getByText("Record system"));
    expect(textOf(region("Requests"))).toMatch(/Ann Lee asked We use <b>Epic<\/b>\. No answer yet\./);
  });

  test("are made in Settings, with the words kept when it fails, and appear in the list", async () => {
    const { api, user } = await asTenant("/tenant/settings/requests");
    expect(textOf(region("Requests"))).toContain("No requests");
    await user.click(button("New Request"));
    await dialogOpened();
    await user.selectOptions(labeled<HTMLSelectElement>("About"), "Voice provider");
    fill("Message", "Connect Retell.");
    api.on(tenantRequests.createRequest, () => asked);
    api.once(tenantRequests.createRequest, () => refusal(503));
    await user.click(button("Send request", dialog()));
    await reads(dialog, "Try again later.");
    api.on(tenantRequests.listRequests, () => [{ ...asked, kind: "voice_provider" as const }]);
    await user.click(button("Send request", dialog()));
    await reads(toast, /Request sent/);
    await eventually(() => expect(rows()).toHaveLength(1));
    expect(api.received(tenantRequests.createRequest).at(-1)!.body).toEqual({ kind: "voice_provider", message: "Connect Retell." });
  });

  test("are replied to by the version that was seen, with the words kept when the platform was faster", async () => {
    const question = { at: "2026-05-05T09:00:00.000Z", from: "platform", by: null, status: "in_progress", note: "Which Epic?" } as const;
    const reply = { at: "2026-05-06T09:00:00.000Z", from: "organization", by: "Bo Day", status: "open", note: "Epic of 2025." } as const;
    const asks: TenantRequest = { ...asked, status: "in_progress", answers: [question], version: 3 };
    const { api, user } = await asTenant("/tenant/settings/requests", {
      before: (one) => one.on(tenantRequests.listRequests, () => [asked]),
    });
    await user.click(screen.getByText("Record system"));
    await user.click(button("Reply to the request: Record system"));
    await dialogOpened();
    fill("Message", "Epic of 2025.");
    const stale = { code: "stale_version", error: "This was changed by another user in the meantime." };
    api.on(tenantRequests.replyToRequest, () => ({ ...asks, status: "open" as const, answers: [question, reply], version: 4 }));
    api.once(tenantRequests.replyToRequest, () => refusal(409, stale));
    api.on(tenantRequests.listRequests, () => [asks]);
    await user.click(button("Send reply", dialog()));
    await reads(dialog, /changed by another user/);
    await reads(() => region("Requests"), /Which Epic\?/);
    expect(labeled<HTMLTextAreaElement>("Message").value).toBe("Epic of 2025.");
    api.on(tenantRequests.listRequests, () => [{ ...asks, status: "open" as const, answers: [question, reply], version: 4 }]);
    await user.click(button("Send reply", dialog()));
    await reads(toast, /Reply sent/);
    await reads(() => region("Requests"), /The platform: In progress, .* Which Epic\? Bo Day replied, .* Epic of 2025\./);
    expect(api.received(tenantRequests.replyToRequest)).toMatchObject([
      { params: { requestId: asked.id }, body: { message: "Epic of 2025." }, ifMatch: 1 },
      { ifMatch: 3 },
    ]);
  });

  test("keep the words of a reply to one on a further page when the platform was faster, and that page", async () => {
    const question = { at: "2026-05-05T09:00:00.000Z", from: "platform", by: null, status: "in_progress", note: "Which Epic?" } as const;
    let old = asked;
    const { api, user } = await asTenant("/tenant/settings/requests", {
      before: (one) => one.on(tenantRequests.listRequests, ({ query }) => (query.cursor ? [old] : page([answered], "further"))),
    });
    await user.click(button("Load more"));
    await user.click(await screen.findByRole("button", { name: "Reply to the request: Record system" }));
    await dialogOpened();
    fill("Message", "Epic of 2025.");
    old = { ...asked, status: "in_progress", answers: [question], version: 3 };
    const stale = { code: "stale_version", error: "This was changed by another user in the meantime." };
    api.on(tenantRequests.replyToRequest, () => ({ ...old, status: "open" as const, version: 4 }));
    api.once(tenantRequests.replyToRequest, () => refusal(409, stale));
    await user.click(button("Send reply", dialog()));
    await reads(() => region("Requests"), /Which Epic\?/);
    expect(labeled<HTMLTextAreaElement>("Message").value).toBe("Epic of 2025.");
    await user.click(button("Send reply", dialog()));
    await reads(toast, /Reply sent/);
    await eventually(() => expect(screen.queryByRole("dialog")).toBeNull());
    expect(api.received(tenantRequests.replyToRequest).map(({ ifMatch }) => ifMatch)).toEqual([1, 3]);
    expect(rows().some((row) => row.startsWith("Record system Open"))).toBe(true);
  });

  test("stand on the screen where they were made, without those of other kinds", async () => {
    const { api } = await asTenant("/tenant?tab=fhir", {
      before: (one) => one.on(tenantRequests.listRequests, ({ query }) => [answered, asked].filter(({ kind }) => kind === query.kind)),
    });
    await settled();
    expect(textOf(region("Your requests"))).toMatch(/Record system Open/);
    expect(textOf(region("Your requests"))).not.toContain("Plan");
    expect(link("All requests").getAttribute("href")).toBe("/tenant/settings/requests");
    expect(api.received(tenantFhirProviders.listTenantFhirProviders)).not.toEqual([]);
  });

  test("do not open to staff", async () => {
    const { api } = await asTenant("/tenant/settings/requests", { me: { access: "staff" } });
    await reads(() => screen.getByRole("heading", { level: 1 }), "You do not have access to this page");
    expect(api.received(tenantRequests.listRequests)).toEqual([]);
  });
});
