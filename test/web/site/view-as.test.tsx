import { sessions, tenant, tenantOffices, type Me, type OfficeCard } from "@vitaline/contract";
import { screen } from "@testing-library/react";
import { describe, expect, test, vi } from "vitest";
import { demo, demoUser, recordedAt } from "../../kit/screen/demo-answers.ts";
import { refusal, type FakeApi } from "../../kit/screen/fake-api.ts";
import {
  asSystem,
  button,
  dialogOpened,
  eventually,
  fill,
  holdTime,
  labeled,
  reads,
  region,
  textOf,
  visit,
  type Screen,
} from "../../kit/screen/visit.tsx";

const { tenantId, tenantName } = demoUser("tenant_admin");
const minutesFromNow = (minutes: number): string => new Date(recordedAt.getTime() + minutes * 60_000).toISOString();

/** The first tenant's screens, as a system administrator sees them who began to look at them at the address `from`. */
const openView = (
  address: string,
  { from = "/admin?tab=users", minutes = 14, before }: { from?: string; minutes?: number; before?: (api: FakeApi) => void } = {},
): Promise<Screen> => {
  const own = demoUser("system_admin");
  const viewed: Me = {
    ...{ ...own, role: "tenant_admin", tenantId, tenantName },
    viewAs: { tenantId: tenantId!, tenantName: tenantName!, until: minutesFromNow(minutes) },
  };
  return visit(address, {
    as: "tenant_admin",
    before: (api) => {
      sessionStorage.setItem("view", `a-look ${from} a-session`);
      api.on(sessions.me, ({ token }) => (token === "a-look" ? viewed : own));
      before?.(api);
    },
  });
};
const banner = () => region("View as a tenant");
const stored = () => [localStorage.getItem("auth_token"), sessionStorage.getItem("view")];
const watchAddress = () => ({
  assign: vi.spyOn(window.location, "assign").mockReturnValue(),
  replace: vi.spyOn(window.location, "replace").mockReturnValue(),
});
const isTold = () => reads(document.body, "Your view of the tenant has ended. You are back in your own console.");

describe("a look at a tenant", () => {
  test("says whose screens these are and until when, and leads back to where it began", async () => {
    const { assign } = watchAddress();
    const { api, user } = await openView("/tenant", { from: "/admin?tab=tenants" });
    await reads(banner, /^You are viewing .* as System Administrator ?\. Changes are disabled\. It ends in 14m( 0s)?\. End view$/);
    expect(textOf(banner())).toContain(tenantName);
    expect(textOf(screen.getByRole("main"))).toMatch(new RegExp(`${tenantName}.*Recent Calls`));
    expect(new Set(api.received(tenant.tenantSettings).map(({ token }) => token))).toEqual(new Set(["a-look"]));
    await user.click(button("End view"));
    await eventually(() => expect(assign.mock.calls).toEqual([["/admin?tab=tenants"]]));
    expect(api.received(sessions.logout).map(({ token }) => token)).toEqual(["a-look"]);
    expect(stored()).toEqual(["a-session", null]);
  });

  test("changes nothing, and says so to who tries", async () => {
    const [{ id }] = demo("tenant_admin", tenantOffices.officeCards) as [OfficeCard, ...OfficeCard[]];
    const { user } = await openView(`/tenant?tab=offices&office=${id}`, {
      before: (api) =>
        api.on(tenantOffices.updateOwnOffice, () =>
          refusal(403, { error: "Nothing can be changed while you view as a tenant.", code: "read_only" }),
        ),
    });
    const form = await dialogOpened();
    fill("Office name", "Another name", form);
    await user.click(button("Save office", form));
    await reads(document.body, "Nothing can be changed while you view as a tenant.");
    expect(labeled("Office name", form).value).toBe("Another name");
  });

  test("ends with its time, and the console is there again", async () => {
    const pass = holdTime();
    const { replace } = watchAddress();
    const { api } = await openView("/tenant", { minutes: 1 });
    await pass(57_000);
    expect([textOf(banner()).includes("It ends in"), replace.mock.calls]).toEqual([true, []]);
    await pass(5000);
    expect([replace.mock.calls, stored()]).toEqual([[["/admin?tab=users"]], ["a-session", null]]);
    expect(api.received(sessions.logout)).toEqual([]);
    vi.useRealTimers();
    await asSystem("/admin?tab=users");
    await isTold();
  });

  test("that the server has ended earlier leads back to where it began, by a click and by a reload", async () => {
    const { replace } = watchAddress();
    const over = () => refusal(401, { error: "Your session has ended.", code: "session_expired" });
    const { api, user } = await openView("/tenant?tab=audit");
    api.on(tenant.tenantSettings, over);
    await user.click(button("Refresh"));
    await eventually(() => expect(replace.mock.calls).toEqual([["/admin?tab=users"]]));
    expect(stored()).toEqual(["a-session", null]);
    await asSystem("/admin?tab=users");
    await isTold();

    replace.mockClear();
    const reloading = openView("/tenant", {
      before: (arranged) => arranged.on(sessions.me, ({ token }) => (token === "a-look" ? over() : demoUser("system_admin"))),
    });
    await eventually(() => expect(replace.mock.calls).toEqual([["/admin?tab=users"]]));
    expect(stored()).toEqual(["a-session", null]);
    await asSystem("/admin?tab=users");
    await reloading;
    await isTold();
  });

  test("ends together with the session of who logs out", async () => {
    const { api, user } = await openView("/tenant");
    await user.click(button("Logout"));
    await eventually(() => expect(screen.getByRole("heading", { level: 1 }).textContent).toBe("Tenant Login"));
    expect(stored()).toEqual([null, null]);
    await eventually(() => expect(api.received(sessions.logout).map(({ token }) => token)).toEqual(["a-look", "a-session"]));
  });
});
