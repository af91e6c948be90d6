import { screen, within } from "@testing-library/react";
import { tenant, webhooks } from "@vitaline/contract";
import { expect, test } from "vitest";
import { demo } from "../../kit/screen/demo-answers.ts";
import { refusal } from "../../kit/screen/fake-api.ts";
import { asTenant, button, eventually, link, reads, region, settled } from "../../kit/screen/visit.tsx";

const unavailable = () => refusal(503, { error: "The database could not be reached." });

test("Refresh tells of no failure that is not on screen, and what was left is asked for again when it is opened", async () => {
  const { api, user } = await asTenant("/tenant/developers/webhooks", {
    before: (arranged) => arranged.once(webhooks.listWebhooks, unavailable),
  });
  await reads(region("Webhooks"), "Failed to load webhooks");
  await user.click(link("Dashboard"));
  await reads(() => screen.queryByRole("region", { name: "Recent Calls" }), "Recent Calls");
  await settled();
  await user.click(button("Refresh"));
  await settled();
  expect(screen.queryByText(/The database could not be reached\./)).toBeNull();
  expect(api.received(webhooks.listWebhooks)).toHaveLength(1);
  await user.click(link("Developers"));
  await settled();
  await user.click(link("Webhooks"));
  await settled();
  await reads(region("Webhooks"), "No webhooks yet");
  expect(api.received(webhooks.listWebhooks)).toHaveLength(2);
});

test("without the organization's settings, the dashboard says in which zone its times are, until they come", async () => {
  const { user } = await asTenant("/tenant", { before: (api) => api.once(tenant.tenantSettings, unavailable) });
  const notices = () => screen.queryAllByRole("alert");
  expect(notices()).toHaveLength(1);
  const [notice] = notices() as [HTMLElement];
  await reads(notice, /Failed to load organization settings.*Times are in this browser's zone.*The database could not be reached\./);
  await reads(region("Recent Calls"), /\w/);
  await user.click(within(notice).getByRole("button", { name: "Retry" }));
  await eventually(() => expect(notices()).toEqual([]));
  expect(demo("tenant_admin", tenant.tenantSettings).timeZone).toBe("America/New_York");
});
