import type { Page } from "playwright-core";
import { open, titled } from "../../kit/browser/site.ts";
import { asTenant, type Look } from "../../kit/browser/axe.ts";

const sections = {
  Organization: "",
  Team: "/team",
  "Patient contact": "/patient-contact",
  "Voice platforms": "/voice",
  "Retention and rules": "/retention",
  "Plan and usage": "/plan",
  Requests: "/requests",
} as const;

const openSection = async (page: Page, section: keyof typeof sections): Promise<void> => {
  await open(page, `/tenant/settings${sections[section]}`);
  await titled(page, "Settings");
};

const allowOwnProviders = (page: Page): Promise<unknown> =>
  page.route("**/api/tenant/settings", async (route) => {
    const response = await route.fetch();
    const settings = (await response.json()) as { policies: object };
    await route.fulfill({ response, json: { ...settings, policies: { ...settings.policies, ownVoiceProviders: true } } });
  });

export const settingsLooks: Look[] = [
  ...(Object.keys(sections) as (keyof typeof sections)[]).map((section) => ({
    name: `settings, ${section}`,
    as: asTenant,
    arrange: (page: Page) => openSection(page, section),
  })),
  {
    name: "settings, voice platforms that the organization may change",
    as: asTenant,
    arrange: async (page) => {
      await allowOwnProviders(page);
      await openSection(page, "Voice platforms");
      await page
        .getByRole("button", { name: /^Delete / })
        .first()
        .waitFor();
    },
  },
  {
    name: "settings, a voice platform of the organization's own",
    as: asTenant,
    arrange: async (page) => {
      await allowOwnProviders(page);
      await openSection(page, "Voice platforms");
      await page.getByRole("button", { name: "Add Provider" }).click();
      await page.getByRole("dialog").getByLabel("Provider name").waitFor();
    },
  },
  {
    name: "settings, an invitation of a colleague",
    as: asTenant,
    arrange: async (page) => {
      await openSection(page, "Team");
      await page.getByRole("button", { name: "Invite Colleague" }).click();
      await page.getByRole("dialog").getByLabel("Access").waitFor();
    },
  },
  {
    name: "settings, a colleague",
    as: asTenant,
    arrange: async (page, site) => {
      const token = await site.tokenFor(asTenant(site));
      const colleague = { email: `nora-${Date.now()}@gallery.example`, firstName: "Nora", lastName: "New", access: "staff" };
      await site.api("POST", "/api/tenant/team", { token, body: colleague });
      await openSection(page, "Team");
      await page.getByRole("button", { name: "Edit Nora New" }).first().click();
      await page.getByRole("dialog").getByLabel("Access").waitFor();
    },
  },
  {
    name: "settings, a locked colleague whose second factor is reset",
    as: asTenant,
    arrange: async (page) => {
      await page.route("**/api/tenant/team*", async (route) => {
        const response = await route.fetch();
        const [one] = (await response.json()) as [object];
        const lockedUntil = new Date(Date.now() + 600_000).toISOString();
        const colleague = { ...one, id: "01hzzzzzzzzzzzzzzzzzzzzzn1", firstName: "Nora", lastName: "New", hasTotp: true, lockedUntil };
        await route.fulfill({ response, json: [one, colleague] });
      });
      await openSection(page, "Team");
      await page.getByRole("button", { name: "Edit Nora New" }).click();
      await page.getByRole("dialog").getByText("Locked until").waitFor();
      await page.getByRole("button", { name: "Reset Second Factor" }).click();
      await page.getByRole("dialog", { name: "Reset Second Factor" }).getByText("They are signed out everywhere").waitFor();
    },
  },
  {
    name: "guided set-up, a test call that has ended",
    as: asTenant,
    arrange: async (page) => {
      await open(page, "/tenant/setup?platform=vapi");
      await page.getByRole("button", { name: "Start test call" }).click();
      await page.getByRole("button", { name: /^Run/ }).click();
      await page.getByText("The agent uses getFhirProviders").waitFor();
      await page.getByRole("button", { name: "End test call" }).click();
      await page.getByText("where it is marked as a test").waitFor();
    },
  },
  {
    name: "guided set-up, a test call with typed words",
    as: asTenant,
    arrange: async (page) => {
      await open(page, "/tenant/setup?platform=vapi");
      await page.getByRole("button", { name: "Start test call" }).click();
      const field = page.getByLabel("What the caller says");
      for (const words of ["Are you open on Monday?", "purple elephants"]) {
        await field.fill(words);
        await field.press("Enter");
        await page.getByText(`The caller: ${words}`).waitFor();
      }
      await page.getByRole("button", { name: "Send" }).click();
      await page.getByText("Type what the caller says, such as").waitFor();
    },
  },
  {
    name: "settings, a request with its answer",
    as: asTenant,
    arrange: async (page) => {
      const request = {
        ...{ id: "01hzzzzzzzzzzzzzzzzzzzzzr1", createdAt: "2026-05-04T09:00:00.000Z", kind: "voice_provider", status: "in_progress" },
        ...{ message: "Please connect our account at Retell AI.", requestedBy: "Ann Lee", version: 2 },
        answers: [
          {
            at: "2026-05-04T10:00:00.000Z",
            from: "platform",
            by: null,
            status: "in_progress",
            note: "We need the name of your workspace.",
          },
          { at: "2026-05-04T11:00:00.000Z", from: "organization", by: "Bo Day", status: "open", note: "It is Lakeside." },
        ],
      };
      await page.route("**/api/tenant/requests*", (route) => route.fulfill({ json: [request] }));
      await openSection(page, "Requests");
      await page.getByText("Voice provider", { exact: true }).click();
      await page.getByText("We need the name of your workspace.").waitFor();
    },
  },
  {
    name: "settings, a new request",
    as: asTenant,
    arrange: async (page) => {
      await openSection(page, "Requests");
      await page.getByRole("button", { name: "New Request" }).click();
      await page.getByRole("dialog").getByLabel("Message").waitFor();
    },
  },
];
