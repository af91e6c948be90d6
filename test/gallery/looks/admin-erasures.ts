import { erasures, type ErasureDetail } from "@vitaline/contract";
import type { Page } from "playwright-core";
import { dialogOf, panelOf } from "../../kit/browser/console.ts";
import { open, reads, type Login, type Site } from "../../kit/browser/site.ts";
import type { Look } from "../../kit/browser/axe.ts";

const as = (site: Site): Login => site.demo.systemAdmin;

const inDays = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString();

const erasuresOf = ({ demo }: Site): ErasureDetail[] => {
  const [first, second] = demo.tenants;
  const one: ErasureDetail = {
    ...{ id: "01hzzzzzzzzzzzzzzzzzzzzzz1", kind: "call", tenantId: first!.id, tenantName: "Riverside Family Clinic" },
    ...{ callId: "a1".repeat(20), fhirProviderId: null, patientId: null, reason: "recorded_in_error", status: "waiting" },
    ...{ requestedBy: "01hzzzzzzzzzzzzzzzzzzzzzz9", requestedByName: "Olga Other", requestedAt: inDays(-0.1) },
    ...{ approvedBy: null, approvedByName: null, approvedAt: null, startsAt: inDays(0.9), finishedAt: null, backupsGoneAt: null },
    ...{ copy: null, erased: null, copyUrls: null, certificate: null },
  };
  return [
    one,
    {
      ...one,
      ...{ id: "01hzzzzzzzzzzzzzzzzzzzzzz2", kind: "tenant", callId: null, tenantId: second!.id, tenantName: "Lakeside Pediatrics" },
      ...{ status: "done", reason: "contract_ended", finishedAt: inDays(-1), backupsGoneAt: inDays(34) },
      copy: { files: 1, lines: 1234, bytes: 45_600, expiresAt: inDays(7) },
      erased: { calls: 1200, toolRuns: 4800, files: 2400, leads: 30, tasks: 12, messages: 900, users: 4, others: 350 },
      certificate: {
        jws: `${"head".repeat(12)}.${"claims".repeat(120)}.${"sign".repeat(80)}`,
        key: { kty: "RSA", n: "n".repeat(342), e: "AQAB" },
      },
    },
  ];
};

const isListOf = ({ pathname }: URL): boolean => pathname === erasures.listErasures.path;

const openList = async (page: Page, site: Site): Promise<void> => {
  const all = erasuresOf(site);
  await page.route(isListOf, (route) => route.fulfill({ json: all }));
  for (const one of all) {
    const address = `${erasures.listErasures.path}/${one.id}`;
    await page.route(
      ({ pathname }) => pathname === address,
      (route) => route.fulfill({ json: one }),
    );
  }
  await open(page, "/admin?tab=audit");
  await reads(panelOf(page, "Erasures"), /Olga Other/);
};

const openOne = async (page: Page, site: Site, nth: number): Promise<void> => {
  await openList(page, site);
  await panelOf(page, "Erasures")
    .getByRole("button", { name: /^Open / })
    .nth(nth)
    .click();
  await reads(dialogOf(page), /Requested by/);
};

const openForm = async (page: Page, site: Site, kind: string): Promise<void> => {
  await openList(page, site);
  await panelOf(page, "Erasures").getByRole("button", { name: "Erase data…" }).click();
  await dialogOf(page).getByLabel("Organization").selectOption(site.demo.tenants[0]!.id);
  await dialogOf(page).getByLabel("What to erase").selectOption(kind);
};

export const adminErasureLooks: Look[] = [
  { name: "console: an erasure that waits", as, arrange: (page, site) => openOne(page, site, 0) },
  {
    name: "console: the question before an erasure",
    as,
    arrange: async (page, site) => {
      await openOne(page, site, 0);
      await dialogOf(page).getByRole("button", { name: "Approve" }).click();
      await reads(page.getByRole("alertdialog"), /cannot be undone/);
    },
  },
  {
    name: "console: an erasure that is done",
    as,
    arrange: async (page, site) => {
      await openOne(page, site, 1);
      await dialogOf(page).getByText("Show the certificate").click();
    },
  },
  {
    name: "console: a request for a patient's erasure",
    as,
    arrange: async (page, site) => {
      await openForm(page, site, "patient");
      await dialogOf(page).getByRole("button", { name: "Request erasure" }).click();
      await reads(dialogOf(page), /Patient ID is required/);
    },
  },
  {
    name: "console: a request for an organization's erasure",
    as,
    arrange: async (page, site) => {
      await openForm(page, site, "tenant");
      await reads(dialogOf(page), /Deactivate the organization first/);
    },
  },
];
