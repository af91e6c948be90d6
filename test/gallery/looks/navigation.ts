import { open, reads } from "../../kit/browser/site.ts";
import { asTenant, type Look } from "../../kit/browser/axe.ts";

const compact = () => localStorage.setItem("density", "compact");

export const navigationLooks: Look[] = [
  {
    name: "the palette",
    as: asTenant,
    arrange: async (page) => {
      await open(page, "/tenant/messages");
      await page.keyboard.press("Control+k");
      await reads(page.getByRole("dialog", { name: "Go to" }), /Analytics[^]*Documentation/);
      await page.keyboard.type("connect");
      await page.keyboard.press("ArrowDown");
    },
  },
  {
    name: "the palette, which found nothing",
    as: asTenant,
    arrange: async (page) => {
      await open(page, "/tenant/messages");
      await page.getByRole("button", { name: "Go to" }).click();
      await reads(page.getByRole("dialog", { name: "Go to" }), /Documentation/);
      await page.keyboard.type("zzz");
      await reads(page.getByRole("dialog", { name: "Go to" }), /Nothing found/);
    },
  },
  {
    name: "the overview in compact spacing",
    as: asTenant,
    arrange: async (page) => {
      await page.addInitScript(compact);
      await open(page, "/tenant");
    },
  },
  {
    name: "the calls in compact spacing",
    as: asTenant,
    arrange: async (page) => {
      await page.addInitScript(compact);
      await open(page, "/tenant/calls?range=all");
      await reads(page.getByRole("region", { name: "Recent Call Details" }), /View/);
    },
  },
];
