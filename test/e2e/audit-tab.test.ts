import { readFileSync } from "node:fs";
import type { Download, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { proves } from "../requirements/proves.ts";
import { plantEvents, tenantIdOf } from "./audit-log.fixture.ts";
import { showsFocus } from "./focus.fixture.ts";
import { open, patience, reads, settled } from "./look.fixture.ts";
import { addTenant } from "./people.fixture.ts";
import { openSite, phone, type Login, type Site } from "./site.fixture.ts";

const planted = 60;

let site: Site;
let login: Login;
let other: Login;
beforeAll(async () => {
  site = await openSite();
  login = await addTenant(site, "Audited Clinic");
  other = await addTenant(site, "Another Clinic");
  await plantEvents(site, await tenantIdOf(site, login), [
    { action: "plain.act", secondsAgo: 60, detail: { changed: "name,phone", count: 1204 } },
    { action: "system.act", secondsAgo: 70, actorKind: "system", actorId: "system", clientAddress: "", resourceType: "" },
    { action: "failed.act", secondsAgo: 80, success: false, code: "not_found", category: "data_query", requestId: "one-request" },
    { action: "<b>bold</b>.act", secondsAgo: 90, category: "patient_access", requestId: "one-request" },
    { action: "old.act", secondsAgo: 20 * 86_400, category: "configuration_change" },
    ...Array.from({ length: planted }, (_, at) => ({ action: "many.act", secondsAgo: 3600 + at })),
  ]);
  await plantEvents(site, await tenantIdOf(site, other), [{ action: "foreign.act", actorId: "foreigner" }]);
});
afterAll(() => site?.close());

const panelOf = (page: Page) => page.getByRole("region", { name: "Audit & Compliance" });
const tableOf = (page: Page) => panelOf(page).getByRole("table");
const openAudit = (page: Page, query = "") => open(page, `/tenant?tab=audit${query}`);
const searchOf = (page: Page) => page.getByRole("searchbox", { name: "Search" });
const apply = async (page: Page) => {
  await page.getByRole("button", { name: "Apply Filters" }).click();
  await settled(page);
};
/** The codes of the actions that the table shows, each once, without what went wrong. */
const actionsOf = async (page: Page): Promise<string[]> => {
  const cells = tableOf(page)
    .getByRole("cell")
    .filter({ has: page.getByRole("button", { name: /details$/ }) });
  const codes = (await cells.locator("p").allTextContents()).map((code) => code.split(" · ", 1)[0] ?? "");
  return [...new Set(codes)];
};
/** Waits until it shows these. */
const showsOnly = async (page: Page, ...actions: string[]): Promise<void> => {
  await expect.poll(() => actionsOf(page), patience).toEqual(actions);
};
const rowOf = (page: Page, action: string) => tableOf(page).getByRole("row").filter({ hasText: action });
const cellsOf = (page: Page, action: string): Promise<string[]> => rowOf(page, action).first().getByRole("cell").allInnerTexts();
const valuesOf = (page: Page, label: string): Promise<string[]> =>
  page
    .getByLabel(label)
    .locator("option")
    .evaluateAll((options) => options.map((option) => (option as HTMLOptionElement).value));
const hasFocus = async (part: Locator): Promise<void> => {
  await expect.poll(() => part.evaluate((element) => element === document.activeElement), patience).toBe(true);
};
const queryOf = (page: Page): URLSearchParams => new URL(page.url()).searchParams;
const visitLog = (body: (page: Page) => Promise<void>, refused: string[] = [], query = "&search=.act"): Promise<void> =>
  site.visit({ as: login, refused }, async ({ page }) => {
    await openAudit(page, query);
    await body(page);
  });

/** Read once, before the first test: the tab as it opens, and its cells by action. */
let text: string;
let headers: string[];
let cells: Record<string, string[]>;
let reading: Promise<void> | undefined;
const readAll = () =>
  visitLog(async (page) => {
    text = await panelOf(page).innerText();
    headers = await tableOf(page).getByRole("columnheader").allInnerTexts();
    cells = {};
    for (const action of ["plain.act", "system.act", "failed.act"]) cells[action] = await cellsOf(page, action);
  });
beforeEach(() => (reading ??= readAll()), 120_000);

describe("the audit tab", () => {
  proves("D1.2-121", async ({ sees }) => {
    sees(text);
    expect(text).toMatch(/^Audit & Compliance/);
  });

  proves("D1.2-122", ({ sees }) => {
    sees(text);
    expect(text).toMatch(/HIPAA Compliance Active\s+(Last verified|Every access is logged\. The archive waits)/);
  });
  proves("D1.2-123", ({ sees }) => {
    sees(text);
    expect(text).toMatch(/Data Access Monitoring Enabled\s+(\d+ events? archived, the last|No event has been archived)/);
  });
  proves("D1.2-124", ({ sees }) => {
    sees(text);
    expect(text).toMatch(/Log Retention 7 Years\s+Events are kept for 7 years/);
  });

  proves("D1.2-125", async () => {
    await visitLog(async (page) => {
      await searchOf(page).fill("FAILED.a");
      await apply(page);
      await showsOnly(page, "failed.act");
      expect(queryOf(page).get("search")).toBe("FAILED.a");
    });
  });

  proves("D1.2-126", async () => {
    await visitLog(async (page) => {
      const types = ["patient_access", "data_query", "api_call", "configuration_change"];
      expect(await valuesOf(page, "Action type")).toEqual(["all", ...types]);
      await page.getByLabel("Action type").selectOption("data_query");
      await apply(page);
      await showsOnly(page, "failed.act");
      await page.getByLabel("Action type").selectOption("patient_access");
      await apply(page);
      await showsOnly(page, "<b>bold</b>.act");
    });
  });

  proves("D1.2-127", async () => {
    await visitLog(async (page) => {
      expect(await valuesOf(page, "Time range")).toEqual(["24hours", "7days", "30days", "90days"]);
      expect(await page.getByLabel("Time range").inputValue()).toBe("7days");
      await searchOf(page).fill("old.act");
      await apply(page);
      await reads(panelOf(page), /No audit logs found/);
      await page.getByLabel("Time range").selectOption("30days");
      await apply(page);
      await showsOnly(page, "old.act");
    });
  });

  proves("D1.2-128", async ({ sees }) => {
    await visitLog(async (page) => {
      sees(await page.getByRole("button", { name: "Apply Filters" }).innerText());
      const before = await actionsOf(page);
      await page.getByLabel("Action type").selectOption("data_query");
      await searchOf(page).fill("failed");
      await reads(panelOf(page), /Changed, not applied yet/);
      expect([await actionsOf(page), queryOf(page).get("search")]).toEqual([before, ".act"]);
      await searchOf(page).press("Enter");
      await showsOnly(page, "failed.act");
      expect(page.url()).toMatch(/tab=audit.*search=failed.*actionType=data_query/);
      await page.goBack();
      await expect.poll(() => actionsOf(page), patience).toEqual(before);
      expect(await searchOf(page).inputValue()).toBe(".act");
      await page.goForward();
      await page.reload();
      await settled(page);
      expect([await actionsOf(page), await page.getByLabel("Action type").inputValue()]).toEqual([["failed.act"], "data_query"]);
    });
  });

  proves("D1.2-130", ({ sees }) => {
    sees(headers.map((header) => `'${header}'`).join(", "));
    expect(headers).toEqual(["Timestamp", "Actor", "Action", "Resource", "IP Address", "Status"]);
    expect(cells["plain.act"]).toEqual([
      expect.stringMatching(/^[A-Z][a-z]{2} \d+, \d+:\d\d [AP]M$/),
      expect.stringMatching(/^User\s+planted$/),
      expect.stringMatching(/^Acted a plain[^]*plain\.act$/),
      "Planted",
      "198.51.100.1",
      "Success",
    ]);
  });
  proves("D1.2-131", ({ sees }) => {
    sees(cells["system.act"]?.[1]);
    const lines = ["plain.act", "system.act"].map((action) => cells[action]?.[1]?.split(/\n+/));
    expect(lines).toEqual([
      ["User", "planted"],
      ["System", "The platform itself"],
    ]);
  });
  proves("D1.2-132", ({ sees }) => {
    sees(cells["system.act"]?.[3]);
    expect([cells["plain.act"]?.[3], cells["system.act"]?.[3]]).toEqual(["Planted", "N/A"]);
  });
  proves("D1.2-133", ({ sees }) => {
    sees(cells["system.act"]?.[4]);
    expect([cells["plain.act"]?.[4], cells["system.act"]?.[4]]).toEqual(["198.51.100.1", "N/A"]);
  });
  proves("D1.2-134", ({ sees }) => {
    for (const action of ["plain.act", "failed.act"]) sees(cells[action]?.[5]);
    expect([cells["plain.act"]?.[5], cells["failed.act"]?.[5]]).toEqual(["Success", "Failed"]);
  });

  proves("D1.2-135", async ({ sees }) => {
    await visitLog(
      async (page) => {
        sees(await panelOf(page).innerText());
        expect(await tableOf(page).count()).toBe(0);
        await page.getByRole("button", { name: "Clear Filters" }).click();
        await expect.poll(async () => (await actionsOf(page)).length, patience).toBeGreaterThan(0);
        expect([...queryOf(page).keys()]).toEqual(["tab"]);
      },
      [],
      "&search=nothing-is-called-so",
    );
  });

  proves("D1.2-136", async ({ sees }) => {
    await site.visit({ as: login }, async ({ page }) => {
      let answer = () => {};
      const held = new Promise<void>((resolve) => (answer = resolve));
      await page.route("**/api/tenant/dashboard/audit-logs*", async (route) => {
        await held;
        await route.continue();
      });
      await page.goto("/tenant?tab=audit");
      const status = panelOf(page).getByRole("status").filter({ hasText: "Loading" });
      await expect.poll(() => status.count(), patience).toBe(1);
      sees(await status.textContent());
      answer();
      await settled(page);
      expect([await status.count(), await tableOf(page).count()]).toEqual([0, 1]);
    });
  });

  test("shows an event's text as text, and everything of it when it is opened with the keyboard", async () => {
    await visitLog(async (page) => {
      expect(await tableOf(page).locator("b").count()).toBe(0);
      const opener = rowOf(page, "plain.act").getByRole("button");
      await opener.focus();
      await page.keyboard.press("Enter");
      const dialog = page.getByRole("dialog", { name: "Acted a plain" });
      await reads(dialog, /plain\.act[^]*planted[^]*198\.51\.100\.1[^]*request-[^]*Changed\s+name, phone[^]*Count\s+1,204/);
      await showsFocus(page);
      await page.keyboard.press("Escape");
      await expect.poll(() => dialog.count(), patience).toBe(0);
      await hasFocus(opener);
    });
  });

  test("tells why something failed, and shows all of the same request", async () => {
    await visitLog(async (page) => {
      await rowOf(page, "failed.act").getByRole("button").click();
      const dialog = page.getByRole("dialog", { name: "Tried to act a failed" });
      await reads(dialog, /Failed[^]*Not found/);
      await dialog.getByRole("button", { name: "Show all of this request" }).click();
      await showsOnly(page, "failed.act", "<b>bold</b>.act");
      expect([await searchOf(page).inputValue(), await page.getByRole("dialog").count()]).toEqual(["one-request", 0]);
      await hasFocus(searchOf(page));
    });
  });

  test("reads on where the page ends, until all is shown", async () => {
    await visitLog(
      async (page) => {
        const rows = tableOf(page).locator("tbody tr");
        expect(await rows.count()).toBe(50);
        await page.getByRole("button", { name: "Load more" }).click();
        await expect.poll(() => rows.count(), patience).toBe(planted);
        await reads(panelOf(page), new RegExp(`${planted} events shown, that is all`));
      },
      [],
      "&search=many.act",
    );
  });

  test("asks again for the log as it is now when the same filters are applied once more", async () => {
    await visitLog(
      async (page) => {
        await reads(panelOf(page), /No audit logs found/);
        await plantEvents(site, await tenantIdOf(site, login), [{ action: "late.happening", secondsAgo: 1 }]);
        await apply(page);
        await showsOnly(page, "late.happening");
        expect(queryOf(page).get("search")).toBe("late.happening");
      },
      [],
      "&search=late.happening",
    );
  });

  test("refuses a search that is too long, keeps it, and warns of patients' names", async () => {
    await visitLog(async (page) => {
      const before = await actionsOf(page);
      const tooLong = "x".repeat(101);
      await searchOf(page).fill(tooLong);
      await page.getByRole("button", { name: "Apply Filters" }).click();
      await hasFocus(searchOf(page));
      await reads(panelOf(page), /Must be at most 100 characters\.\s+An ID, a code or an IP address\. Never a patient's name/);
      expect([await searchOf(page).inputValue(), await actionsOf(page), queryOf(page).get("search")]).toEqual([tooLong, before, ".act"]);
      await searchOf(page).fill("plain");
      await apply(page);
      await showsOnly(page, "plain.act");
      expect(await panelOf(page).innerText()).not.toContain("at most 100");
      await openAudit(page, `&search=${tooLong}`);
      await expect.poll(async () => (await actionsOf(page)).length, patience).toBeGreaterThan(2);
      expect(await searchOf(page).inputValue()).toBe("");
    });
  });

  test("has nothing of another tenant", async () => {
    await visitLog((page) => reads(panelOf(page), /No audit logs found/), [], "&search=foreign");
    await site.visit({ as: other }, async ({ page }) => {
      await openAudit(page, "&search=foreign");
      await showsOnly(page, "foreign.act");
      expect(await panelOf(page).innerText()).not.toContain("planted");
    });
  });

  test("says that the log did not load, leaves the rest alone and tries again", async () => {
    await site.visit({ as: login, refused: ["503 GET /api/tenant/dashboard/audit-logs"] }, async ({ page }) => {
      const problem = { error: "The log could not be reached.", code: "unavailable", requestId: "req-7" };
      await page.route("**/api/tenant/dashboard/audit-logs*", (route) => route.fulfill({ status: 503, json: problem }), { times: 1 });
      await openAudit(page, "&search=.act");
      await reads(panelOf(page).getByRole("alert"), /Failed to load audit logs\s+The log could not be reached\.\s+Request ID: req-7/);
      await reads(page.getByRole("list", { name: "Compliance" }), /Events are kept for 7 years/);
      await page.getByRole("button", { name: "Retry" }).click();
      await expect.poll(async () => (await actionsOf(page)).length, patience).toBeGreaterThan(2);
    });
  });

  test("says what the last verification found wrong instead of the claim, and where to ask", async () => {
    await site.visit({ as: login }, async ({ page }) => {
      const status = { retentionYears: 7, archivedRows: 9, archivedAt: "2026-05-08T09:00:00.000Z" };
      const json = { ...status, lastVerifiedAt: "2026-05-08T10:00:00.000Z", intact: false };
      await page.route("**/audit-status", (route) => route.fulfill({ json }));
      await openAudit(page);
      await reads(
        page.getByRole("list", { name: "Compliance" }),
        /Audit Archive Not Intact\s+Last verified May 8.*not every archived event is intact\. Contact support/,
      );
      const claims = page.getByRole("list", { name: "Compliance" });
      expect(await claims.innerText()).not.toContain("HIPAA Compliance Active");
      expect(await claims.getByRole("link", { name: "Contact support" }).getAttribute("href")).toBe("/contact");
      expect(await page.getByRole("list", { name: "Compliance" }).getByRole("listitem").count()).toBe(3);
    });
  });

  test("names who it was before their id, and of what was refused what it was", async () => {
    const refused = "PUT /api/tenant/offices/{officeId}";
    await plantEvents(site, await tenantIdOf(site, login), [
      { action: "access.refuse", secondsAgo: 5, success: false, code: "read_only", resourceType: "Route", resourceId: refused },
    ]);
    await visitLog(
      async (page) => {
        const cells = await cellsOf(page, "access.refuse");
        expect(cells[2]).toMatch(/^Tried to do what their role does not allow[^]*access\.refuse · read_only$/);
        expect(cells[3]).toMatch(/^Route\s+PUT \/api\/tenant\/offices\/\{officeId\}$/);
        await searchOf(page).fill("signed in");
        await apply(page);
        await showsOnly(page, "session.login");
        const [, actor, action] = await cellsOf(page, "session.login");
        expect(actor).toMatch(/^[A-Z]\w+ [A-Z]\w+\s+\w{26}$/);
        expect(action).toMatch(/^Signed in/);
      },
      [],
      "&search=access.refuse",
    );
  });

  test("fits a phone, each event two lines that say what, how it went, who and when", async () => {
    await site.visit({ as: login, viewport: phone }, async ({ page }) => {
      await openAudit(page, "&search=.act");
      await reads(rowOf(page, "Tried to act a failed"), /[AP]M[^]*User[^]*Tried to act a failed[^]*Failed/);
      expect(await rowOf(page, "Tried to act a failed").innerText()).not.toMatch(/198\.51|N\/A/);
      expect((await rowOf(page, "Acted a plain").boundingBox())!.height).toBeLessThan(100);
      const outside = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
      expect(outside).toBe(0);
    });
  });
});

const textOfFile = async (download: Download): Promise<string> => readFileSync(await download.path(), "utf8");
const exportsOf = (page: Page) => page.getByRole("region", { name: "Earlier exports" });
const notifications = (page: Page) => page.getByRole("region", { name: /notifications/i });
/** One that was just asked for, by somebody else as the list has it. */
const exported = {
  ...{ exportId: "01hzzzzzzzzzzzzzzzzzzzzzz9", format: "csv", start: "2026-05-01", end: "2026-05-08", timeZone: "UTC", tenantId: null },
  ...{ requestedBy: "01hzzzzzzzzzzzzzzzzzzzzzz8", requestedAt: "2026-05-08T09:00:00.000Z", expiresAt: "2026-05-15T09:00:00.000Z" },
  ...{ rows: null, bytes: null, state: "queued" },
};
const openExport = async (page: Page) => {
  await page.getByRole("button", { name: "Export Logs" }).click();
  return page.getByRole("dialog", { name: "Export Logs" });
};

describe("an export of the log", () => {
  proves("D1.2-129", async ({ sees }) => {
    await visitLog(async (page) => {
      await page.getByLabel("Action type").selectOption("data_query");
      await apply(page);
      sees(await page.getByRole("button", { name: "Export Logs" }).innerText());
      const dialog = await openExport(page);
      await reads(dialog, /Data query[^]*\.act/);
      const [download] = await Promise.all([
        page.waitForEvent("download"),
        dialog.getByRole("button", { name: "Export", exact: true }).dblclick(),
      ]);
      expect(download.suggestedFilename()).toMatch(/^audit-\d{4}-\d\d-\d\d-to-\d{4}-\d\d-\d\d\.csv$/);
      const file = await textOfFile(download);
      expect(file).toContain("failed.act");
      expect(file).not.toMatch(/plain\.act|foreign|many\.act/);
      await reads(notifications(page), /Export ready[^]*1 event/);
      await expect.poll(() => dialog.count(), patience).toBe(0);
      const rows = exportsOf(page).locator("tbody tr");
      await expect.poll(() => rows.count(), patience).toBe(1);
      await reads(rows.first(), /You[^]*CSV[^]*1[^]*Ready/);

      const [again] = await Promise.all([page.waitForEvent("download"), rows.getByRole("button", { name: /^Download/ }).click()]);
      expect(await textOfFile(again)).toBe(file);
    });
  });

  test("is json or pdf, too", async () => {
    await visitLog(async (page) => {
      for (const format of ["json", "pdf"]) {
        const dialog = await openExport(page);
        await dialog.getByLabel("Format").selectOption(format);
        const [download] = await Promise.all([
          page.waitForEvent("download"),
          dialog.getByRole("button", { name: "Export", exact: true }).click(),
        ]);
        expect(download.suggestedFilename().endsWith(`.${format}`)).toBe(true);
        const file = await textOfFile(download);
        if (format === "json") expect(JSON.parse(file).map(({ action }: { action: string }) => action)).toContain("plain.act");
        else expect(file.slice(0, 5)).toBe("%PDF-");
        await expect.poll(() => dialog.count(), patience).toBe(0);
      }
    });
  });

  test("that is refused says why in its dialog, keeps what was chosen and can be sent again", async () => {
    const refused = ["503 POST /api/tenant/audit/export"];
    await visitLog(async (page) => {
      const problem = { error: "The export could not be started.", code: "unavailable", requestId: "req-8" };
      await page.route("**/api/tenant/audit/export", (route) => route.fulfill({ status: 503, json: problem }), { times: 1 });
      const dialog = await openExport(page);
      await dialog.getByLabel("Format").selectOption("json");
      const send = dialog.getByRole("button", { name: "Export", exact: true });
      await send.click();
      await reads(dialog.getByRole("alert"), /The export could not be started/);
      expect(await dialog.getByLabel("Format").inputValue()).toBe("json");
      const [download] = await Promise.all([page.waitForEvent("download"), send.click()]);
      expect(download.suggestedFilename()).toMatch(/json$/);
    }, refused);
  });

  test("that takes its time is waited for, downloaded when it is ready, and sent once however often it is pressed", async () => {
    await visitLog(async (page) => {
      const ready = { ...exported, state: "ready", rows: 12_345, bytes: 987_654 };
      let asked = 0;
      let sent = 0;
      await page.route("**/api/tenant/audit/export", async (route) => {
        sent += 1;
        await new Promise((resolve) => void setTimeout(resolve, 300));
        await route.fulfill({ status: 202, json: exported });
      });
      await page.route("**/api/tenant/audit/exports", (route) => route.fulfill({ json: [asked > 1 ? ready : exported] }));
      await page.route("**/api/tenant/audit/exports/*", (route) => {
        asked += 1;
        return route.fulfill({ json: asked > 1 ? { ...ready, url: `${site.origin}/the-file` } : exported });
      });
      await page.route("**/the-file", (route) =>
        route.fulfill({ body: "Time,Action\r\n", headers: { "content-disposition": 'attachment; filename="audit.csv"' } }),
      );
      const dialog = await openExport(page);
      const download = page.waitForEvent("download");
      await dialog.getByRole("button", { name: "Export", exact: true }).dblclick();
      await reads(notifications(page), /Export started/);
      await reads(exportsOf(page), /Being written[^]*Not yet/);
      expect((await download).suggestedFilename()).toBe("audit.csv");
      await reads(notifications(page), /Export ready\s+12,345 events/);
      await reads(exportsOf(page), /12,345\s+987\.7 KB\s+Ready/);
      expect([sent, asked]).toEqual([1, 2]);
    });
  });

  test("is waited for even if the list of earlier ones cannot be read, and a refusal to say how far it is is told", async () => {
    const list = "/api/tenant/audit/exports";
    const refused = [`503 GET ${list}`, `404 GET ${list}/${exported.exportId}`];
    await site.visit({ as: login, refused }, async ({ page }) => {
      const problem = { error: "There is no such export.", code: "not_found", requestId: "req-6" };
      let asked = 0;
      await page.route(`**${list}`, (route) => route.fulfill({ status: 503, json: {} }));
      await page.route("**/api/tenant/audit/export", (route) => route.fulfill({ status: 202, json: exported }));
      await page.route(`**${list}/*`, (route) => {
        asked += 1;
        return route.fulfill({ status: 404, json: problem });
      });
      await openAudit(page);
      const dialog = await openExport(page);
      await dialog.getByRole("button", { name: "Export", exact: true }).click();
      await reads(notifications(page), /There is no such export\./);
      expect(asked).toBe(1);
    });
  });

  test("of somebody else is shown and not asked about", async () => {
    await visitLog(async (page) => {
      let asked = 0;
      await page.route("**/api/tenant/audit/exports", (route) => route.fulfill({ json: [exported] }));
      await page.route("**/api/tenant/audit/exports/*", (route) => {
        asked += 1;
        return route.fulfill({ json: exported });
      });
      await page.clock.install();
      await openAudit(page);
      await reads(exportsOf(page), /Somebody else[^]*Being written/);
      await page.clock.fastForward(60_000);
      await settled(page);
      expect(asked).toBe(0);
    });
  });

  test("keeps no link to a file in the page's storage", async () => {
    await visitLog(async (page) => {
      const dialog = await openExport(page);
      await Promise.all([page.waitForEvent("download"), dialog.getByRole("button", { name: "Export", exact: true }).click()]);
      const stored = await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }));
      expect(stored).not.toMatch(/X-Amz|exports\//);
    });
  });
});
