import { afterAll, beforeAll, describe, expect } from "vitest";
import type { SystemHealth } from "@vitaline/contract";
import { healthLabel } from "../../web/src/features/system-health/health-format.ts";
import { proves } from "../requirements/proves.ts";
import { open, openSite, type Site } from "../kit/browser/site.ts";

let site: Site;
beforeAll(async () => {
  site = await openSite();
});
afterAll(() => site?.close());

const health: SystemHealth = {
  ...{ overallStatus: "healthy", voiceAgentStatus: "warning", databaseStatus: "error", fhirConnectivity: "unknown" },
  ...{ uptime: 99.87, uptimeSince: "2026-05-01", apiResponseTime: 31, lastUpdated: "2026-05-08T09:00:00.000Z", services: [] },
};

type Badge = { label: string; hue: number | undefined };

const hueOf = (color: string): number | undefined => {
  const [red = 0, green = 0, blue = 0] = [...color.matchAll(/[\d.]+/g)].map(([number]) => Number(number));
  const [most, least] = [Math.max(red, green, blue), Math.min(red, green, blue)];
  if ((most - least) / most < 0.4) return undefined;
  const sixth =
    most === red
      ? (green - blue) / (most - least)
      : most === green
        ? 2 + (blue - red) / (most - least)
        : 4 + (red - green) / (most - least);
  return (sixth * 60 + 360) % 360;
};

const readBadges = async (): Promise<Badge[]> => {
  const badges: Badge[] = [];
  await site.visit({ as: site.demo.tenants[0]!.admin }, async ({ page }) => {
    await page.route("**/api/tenant/dashboard/system-health", (route) => route.fulfill({ json: health }));
    await open(page, "/tenant?tab=system");
    const painted = await page
      .getByRole("region", { name: "System Health" })
      .locator(".vl-badge")
      .evaluateAll((found) =>
        found.map((badge) => ({
          label: (badge as HTMLElement).innerText,
          color: getComputedStyle(badge.querySelector("span")!).backgroundColor,
        })),
      );
    badges.push(...painted.map(({ label, color }) => ({ label, hue: hueOf(color) })));
  });
  return badges;
};
let reading: Promise<Badge[]> | undefined;
const badges = () => (reading ??= readBadges());

describe("the badge of a health status", () => {
  proves("D1.4-010", async ({ sees }) => {
    const [badge] = await badges();
    sees(badge?.label);
    expect([badge?.label, badge!.hue! > 90 && badge!.hue! < 170]).toEqual(["Healthy", true]);
    expect(healthLabel("operational")).toEqual(healthLabel("healthy"));
  });
  proves("D1.4-011", async ({ sees }) => {
    const [, badge] = await badges();
    sees(badge?.label);
    expect([badge?.label, badge!.hue! > 40 && badge!.hue! < 65]).toEqual(["Warning", true]);
  });
  proves("D1.4-012", async ({ sees }) => {
    const [, , badge] = await badges();
    sees(badge?.label);
    expect([badge?.label, badge!.hue! < 15 || badge!.hue! > 345]).toEqual(["Down", true]);
    expect(healthLabel("down")).toEqual(healthLabel("error"));
  });
  proves("D1.4-013", async () => {
    const [, , , badge] = await badges();
    expect(badge).toEqual({ label: "Unknown", hue: undefined });
    expect(healthLabel("of another kind")).toEqual(healthLabel("unknown"));
  });
});
