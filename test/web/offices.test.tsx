import { screen } from "@testing-library/react";
import { tenantOffices, type OfficeCard } from "@vitaline/contract";
import { describe, expect, test } from "vitest";
import { demo } from "../kit/screen/demo-answers.ts";
import { refusal } from "../kit/screen/fake-api.ts";
import { article, asTenant, button, described, dialog, eventually, reads, region, textOf } from "../kit/screen/visit.tsx";
import { proves } from "../requirements/proves.ts";

const cards = demo("tenant_admin", tenantOffices.officeCards);
const [main] = cards as [OfficeCard, ...OfficeCard[]];
const second: OfficeCard = {
  ...(cards[1] as OfficeCard),
  isActive: false,
  staffCount: 1200,
  businessHours: { ...main.businessHours, start: "08:00", end: "16:30", days: { sunday: null } },
};
const openTab = () => asTenant("/tenant?tab=offices", { before: (api) => api.on(tenantOffices.officeCards, () => [main, second]) });

describe("the offices tab", () => {
  proves("D1.2-109", async ({ sees }) => {
    await openTab();
    const text = textOf(region("Office Management"));
    sees(text);
    expect(text).toMatch(/^Office Management/);
  });
  proves("D1.2-110", async ({ sees }) => {
    const { user } = await openTab();
    sees(textOf(region("Office Management")));
    await user.click(button("Add Office"));
    await reads(dialog, /Add Office.*Office name/);
    await eventually(() => expect(screen.getByLabelText("Office name")).toBe(document.activeElement));
  });
  proves("D1.2-111", async () => {
    await openTab();
    for (const { name, isActive } of [main, second])
      expect(textOf(article(name))).toMatch(new RegExp(`^${name} ${isActive ? "Active" : "Inactive"} `));
  });
  proves("D1.2-114", async () => {
    await openTab();
    expect(described("Business hours", article(main.name))).toBe("Every day 9:00 AM – 5:00 PM Eastern Time");
    expect(described("Business hours", article(second.name))).toBe("Mon–Sat 8:00 AM – 4:30 PM Sun closed Eastern Time");
  });
  test("offers a retry when the offices do not load", async () => {
    const { user } = await asTenant("/tenant?tab=offices", { before: (api) => api.once(tenantOffices.officeCards, () => refusal(503)) });
    await reads(() => screen.getByRole("alert"), /Failed to load offices/);
    expect(region("Office-Level Features")).toBeTruthy();
    await user.click(button("Retry"));
    await eventually(() => expect(article(main.name)).toBeTruthy());
  });
});
