import { screen, within } from "@testing-library/react";
import { platformKeys, type PlatformKey } from "@vitaline/contract";
import { describe, expect, test } from "vitest";
import { refusal, type FakeApi } from "../../kit/screen/fake-api.ts";
import {
  asSystem,
  button,
  hasFocus,
  isGone,
  reads,
  region,
  saysWhenRefused,
  saysWhileLoading,
  textOf,
  toast,
} from "../../kit/screen/visit.tsx";
import { proves } from "../../requirements/proves.ts";

const address = "/admin?tab=fhir";
const { listPlatformKeys, generatePlatformKey, retirePlatformKey } = platformKeys;
const unreachable = "The database could not be reached.";

const key = (state: PlatformKey["state"], day: string, lastSignedAt: string | null = null): PlatformKey => {
  const at = `2026-${day}T08:00:00.000Z`;
  return { kid: `${state}-key-of-the-platform`, alg: "RS256", state, createdAt: at, activeFrom: at, lastSignedAt };
};
const previous = key("previous", "05-01", "2026-05-02T08:00:00.000Z");
const active = key("active", "05-02");
const openTab = (keys: PlatformKey[] = [previous, active, key("retired", "04-01")], before: (api: FakeApi) => void = () => {}) => {
  const listed = [...keys];
  return asSystem(address, {
    before: (api) => {
      api.on(listPlatformKeys, () => listed);
      api.on(generatePlatformKey, () => {
        const made = key(listed.length === 0 ? "active" : "pending", "05-03");
        listed.unshift(made);
        return { kid: made.kid, state: made.state as "active" | "pending" };
      });
      api.on(retirePlatformKey, ({ params }) => {
        const at = listed.findIndex(({ kid }) => kid === params.kid);
        return (listed[at] = { ...(listed[at] as PlatformKey), state: "retired" });
      });
      before(api);
    },
  });
};
const panel = (): HTMLElement => region("Platform Keys");
const items = (): HTMLElement[] => within(within(panel()).getByRole("list", { name: "Signing keys" })).getAllByRole("listitem");
const question = (): HTMLElement => screen.getByRole("alertdialog");

describe("platform keys", () => {
  proves("D2.2-054", async () => {
    expect(await saysWhileLoading(address, listPlatformKeys, "Platform Keys")).toBe("Loading platform keys...");
    expect(await saysWhenRefused(address, listPlatformKeys, "Platform Keys")).toContain("Failed to load platform keys.");
    await openTab([]);
    expect(textOf(panel())).toContain("Generate Initial Key Pair");
    await openTab();
    expect(textOf(panel())).toContain("Primary");
  });
  proves("D2.4-016", async () => {
    expect(await saysWhileLoading(address, listPlatformKeys, "Platform Keys")).toMatch(/^Loading/);
    expect(await saysWhenRefused(address, listPlatformKeys, "Platform Keys")).toMatch(/^Failed/);
    await openTab([]);
    expect(textOf(panel())).toContain("No platform keys yet");
    await openTab();
    expect(textOf(panel())).toContain("Rotate Keys");
  });
  proves("D2.2-055", async ({ sees, quoted }) => {
    const { user, api } = await openTab([]);
    const generate = button(quoted[0] ?? "", panel());
    sees(textOf(generate));
    await user.dblClick(generate);
    await reads(toast, /Platform Key Generated/);
    expect(api.received(generatePlatformKey)).toMatchObject([{ body: { algorithm: "RS256" } }]);
    await reads(panel, /Primary Signs now/);
  });
  proves("D2.2-056", async ({ sees, quoted }) => {
    await openTab();
    const [first, second] = items().map(textOf);
    sees(first);
    expect(first).toMatch(new RegExp(`^active-k… ${quoted[0]} Signs now `));
    expect(second).toMatch(/^previous… Previous /);
    expect(second).not.toContain(quoted[0]);
  });
  proves("D2.2-057", async ({ sees, quoted }) => {
    const { user, api } = await openTab();
    const rotate = button(quoted[0] ?? "", panel());
    sees(textOf(rotate));
    await user.click(rotate);
    expect(textOf(question())).toContain("starts to use it in two hours");
    await hasFocus(() => button("Cancel", question()));
    await user.click(button("Cancel", question()));
    await hasFocus(() => rotate);
    expect(api.received(generatePlatformKey)).toEqual([]);
  });
  proves("D2.2-058", async () => {
    await openTab();
    expect(textOf(within(panel()).getByTitle("active-key-of-the-platform"))).toBe("active-k…");
    expect(textOf(panel())).toContain("Last signed May 2");
  });
  proves("D2.2-059", async () => {
    const { user } = await openTab();
    for (const [at, { kid }] of [active, previous].entries()) {
      await user.click(button(/^Copy key ID/, items()[at]));
      await reads(() => items()[at] ?? null, /Copied: key ID/);
      expect(await navigator.clipboard.readText()).toBe(kid);
    }
  });
  proves("D2.8-025", async ({ sees, quoted }) => {
    const text = await saysWhenRefused(address, listPlatformKeys, "Platform Keys");
    sees(text);
    expect(text).toContain(quoted[0]);
  });
  proves("D2.8-026", async ({ sees, quoted }) => {
    const { user } = await openTab(undefined, (api) => api.once(generatePlatformKey, () => refusal(503, { error: unreachable })));
    await user.click(button("Rotate Keys", panel()));
    await user.click(button("Rotate Keys", question()));
    await reads(() => within(question()).getByRole("alert"), unreachable);
    await reads(toast, `${quoted[0]} ${unreachable}`);
    sees(textOf(toast()));
  });
  proves("D2.8-041", async ({ sees, quoted }) => {
    const { user, api } = await openTab();
    await user.click(button("Rotate Keys", panel()));
    await user.dblClick(button("Rotate Keys", question()));
    await reads(toast, quoted[1] ?? "");
    sees(textOf(toast()));
    await isGone("alertdialog");
    await reads(panel, /Signs now .*Signs soon .*Previous/);
    expect(api.received(generatePlatformKey).length).toBe(1);
  });

  test("that are previous can be retired, and are then known among the retired", async () => {
    const { user, api } = await openTab();
    await user.click(button("Retire previous…"));
    expect(textOf(question())).toContain("only if it may have been misused");
    await user.click(button("Retire key", question()));
    await reads(toast, /Key retired/);
    expect(api.received(retirePlatformKey)).toMatchObject([{ params: { kid: previous.kid } }]);
    await reads(panel, /Retired keys/);
    expect(items().map(textOf)).toEqual([expect.stringMatching(/^active-k…/)]);
    await user.click(within(panel()).getByText("Retired keys"));
    await reads(panel, /previous… created May 1.* retired-… created Apr 1/);
  });
});
