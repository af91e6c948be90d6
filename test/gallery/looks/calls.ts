import { open, reads, type Site } from "../../kit/browser/site.ts";
import { badCall, idOf, report } from "../../kit/browser/reported-calls.ts";
import { asTenant, type Look } from "../../kit/browser/axe.ts";

const analytics = "/tenant?tab=analytics";

const known = new WeakMap<Site, Promise<string>>();
const badCallOf = (site: Site): Promise<string> => {
  const report1 = async () => {
    await report(site, asTenant(site), [badCall("looked-at")]);
    return idOf(site, asTenant(site), "looked-at");
  };
  const id = known.get(site) ?? report1();
  known.set(site, id);
  return id;
};

export const callLooks: Look[] = [
  {
    name: "calls without a match for the filters",
    as: asTenant,
    arrange: async (page) => {
      await open(page, `${analytics}&q=no-such-call&status=completed`);
      await reads(page.getByRole("main"), /No calls match these filters/);
    },
  },
  {
    name: "filters of calls that contradict each other",
    as: asTenant,
    arrange: async (page) => {
      await open(page, analytics);
      await page.getByRole("button", { name: "More filters" }).click();
      await page.getByLabel("First day").fill("2026-05-02");
      await page.getByLabel("Last day").fill("2026-05-01");
      await page.getByRole("button", { name: "Apply Filters" }).click();
      await reads(page.getByRole("search"), /Must not be before the first day/);
    },
  },
  {
    name: "calls that do not load",
    as: asTenant,
    refused: ["503 GET /api/tenant/calls"],
    arrange: async (page) => {
      await page.route("**/api/tenant/calls?*", (route) =>
        route.fulfill({
          status: 503,
          json: { error: "The database could not be reached.", code: "unavailable", requestId: "0123456789abcdef" },
        }),
      );
      await open(page, analytics);
      await reads(page.getByRole("main"), /Failed to load calls/);
    },
  },
  {
    name: "a call that needs follow-up",
    as: asTenant,
    arrange: async (page, site) => {
      await open(page, `${analytics}&call=${await badCallOf(site)}`);
      await reads(page.getByRole("dialog"), /This is the front desk/);
    },
  },
  {
    name: "a call with tools",
    as: asTenant,
    arrange: async (page) => {
      await open(page, `${analytics}&outcome=resolved`);
      await page
        .getByRole("link", { name: /^View the call/ })
        .first()
        .click();
      await reads(page.getByRole("dialog"), /Conversation/);
    },
  },
  {
    name: "a note on a call that would be lost",
    as: asTenant,
    arrange: async (page, site) => {
      await open(page, `${analytics}&call=${await badCallOf(site)}`);
      await page.getByLabel(/^Note/).fill("Called back");
      await page.keyboard.press("Escape");
      await reads(page.getByRole("alertdialog"), /Discard changes/);
    },
  },
];
