import { readFileSync } from "node:fs";
import type { Download, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { AwsOptions } from "../../packages/local-cloud/aws/index.ts";
import { proves } from "../requirements/proves.ts";
import { plantEvents } from "./audit-log.fixture.ts";
import { asConsole, openClinic, type Clinic } from "./clinic.fixture.ts";
import { dialogOf, panelOf, textOfFailure, textWhileLoading, toastsOf, unanswered, visitConsole } from "./console.fixture.ts";
import { open, patience, reads } from "./look.fixture.ts";
import { openSite, type Site } from "./site.fixture.ts";

const address = "/admin?tab=audit";
const paths = {
  activity: "/api/dashboard/audit-logs",
  metrics: "/api/admin/compliance-metrics",
  users: "/api/admin/user-activity",
  log: "/api/admin/audit-logs",
  report: "/api/admin/audit/export",
};

/** As long as there is one, it decides what AWS answers. */
let fault: NonNullable<AwsOptions["fault"]> | undefined;
let site: Site;
let clinic: Clinic;
beforeAll(async () => {
  site = await openSite({ fault: (call) => fault?.(call) });
  clinic = await openClinic(site, "Audited Clinic");
});
afterAll(() => site?.close());

const visit = (body: (page: Page) => Promise<void>, options?: Parameters<typeof visitConsole>[3]): Promise<void> =>
  visitConsole(site, address, body, options);
const answers = (path: string, json: unknown) => (page: Page) =>
  page.route(
    ({ pathname }) => pathname === path,
    (route) => route.fulfill({ json }),
  );
const oneLine = (text: string): string => text.replaceAll(/\s+/g, " ").trim();
const press = (part: Locator, name: string | RegExp): Promise<void> => part.getByRole("button", { name, exact: true }).click();

describe("audit logs", () => {
  const logsOf = (page: Page): Locator => panelOf(page, "Audit Logs");
  const log = (id: number, level: string, action: string) => ({
    ...{ id: `01hzzzzzzzzzzzzzzzzzzzzzz${id}`, level, action },
    ...{ actorName: "Ada Byron", description: `What ${action} is`, timestamp: "2026-05-01T09:00:00.000Z" },
  });
  const faked = {
    logs: [log(1, "INFO", "session.login"), log(2, "ERROR", "access.refuse"), log(3, "WARN", "apiKey.rotate")],
    ...{ todayCount: 12, weekCount: 1234, securityEvents: 5, failedAttempts: 2 },
  };
  const visitFaked = (body: (page: Page) => Promise<void>) => visit(body, { before: answers(paths.activity, faked) });

  proves("D2.2-060", ({ sees, quoted }) =>
    visit(async (page) => {
      const button = page.getByRole("button", { name: quoted[0] });
      sees(await button.innerText());
      await button.click();
      await reads(dialogOf(page), /Start date/);
    }),
  );
  proves("D2.2-061", ({ sees }) =>
    visitFaked(async (page) => {
      const figures = oneLine(await logsOf(page).locator("dl").innerText());
      expect(figures).toBe("Today 12 This Week 1,234 Security Events 5 Failed Access 2");
      sees(figures);
    }),
  );
  proves("D2.2-062", () =>
    visitFaked(async (page) => {
      const items = logsOf(page).getByRole("listitem");
      await reads(items.nth(1), /^access\.refuse\s+May 1[^]*Ada Byron\s+What access\.refuse is$/);
      const colours = await Promise.all(
        ["session.login", "access.refuse"].map((action) =>
          logsOf(page)
            .getByText(action, { exact: true })
            .evaluate((badge) => getComputedStyle(badge).backgroundColor),
        ),
      );
      const [red = 0, green = 0] = (colours[1]?.match(/[\d.]+/g) ?? []).map(Number);
      expect(colours[0]).not.toBe(colours[1]);
      expect(red).toBeGreaterThan(green);
    }),
  );
  proves("D2.2-063", () =>
    visit(
      async (page) => {
        const list = logsOf(page).getByRole("list", { name: "Recent activity" });
        expect(await list.evaluate((one) => getComputedStyle(one).maxHeight)).toBe("240px");
        expect(await list.evaluate((one) => one.clientHeight)).toBeLessThanOrEqual(240);
        const cut = await list.evaluate((one) => {
          const frame = one.getBoundingClientRect();
          const rows = [...one.children].map((row) => row.getBoundingClientRect()).filter(({ left }) => left < frame.right - 1);
          return { shown: rows.length, beyond: rows.filter(({ bottom }) => bottom > frame.bottom + 1).length };
        });
        expect(cut.shown).toBeGreaterThan(1);
        expect(cut.shown).toBeLessThan(9);
        expect(cut.beyond).toBe(0);
        await press(logsOf(page), "Show all 9");
        const last = list.getByRole("listitem").last();
        const [frame, row] = [await logsOf(page).boundingBox(), await last.boundingBox()];
        expect(row!.x + row!.width).toBeLessThanOrEqual(frame!.x + frame!.width);
        expect(row!.y + row!.height).toBeLessThanOrEqual(frame!.y + frame!.height);
        await press(logsOf(page), "Show the latest only");
        expect(await list.evaluate((one) => one.clientHeight)).toBeLessThanOrEqual(240);
      },
      {
        before: answers(paths.activity, {
          ...faked,
          logs: Array.from({ length: 9 }, (_, at) => log(at, "INFO", `session.login${at}`)),
        }),
      },
    ),
  );
  proves("D2.2-064", async ({ sees, quoted }) => {
    const text = await textWhileLoading(site, address, paths.activity, "Audit Logs");
    expect(text).toBe(quoted[0]);
    sees(text);
  });
  proves("D2.2-065", ({ sees, quoted }) =>
    visit(
      async (page) => {
        await reads(logsOf(page), quoted[0]!);
        sees(await logsOf(page).innerText());
      },
      { before: answers(paths.activity, { ...faked, logs: [] }) },
    ),
  );
  proves("D2.8-010", async ({ sees, quoted }) => {
    const text = await textOfFailure(site, address, paths.activity, "Audit Logs");
    expect(text).toContain(quoted[0]);
    sees(text);
  });
});

describe("compliance metrics", () => {
  const metricsOf = (page: Page): Locator => panelOf(page, "Compliance Metrics");
  const definitions = { auditScore: "Of rows", dataIntegrity: "Of chains", accessControl: "Of access" };
  const checks = [
    { id: "a", name: "The archive was verified", ok: true, detail: "Last verified at 2026-05-01T09:00:00.000Z" },
    { id: "b", name: "Everybody has a second factor", ok: false, detail: "1 of 2" },
    { id: "c", name: "The chains are intact", ok: null, detail: "Not verified yet" },
  ];
  const faked = { auditScore: 99.95, dataIntegrity: null, accessControl: 100, definitions, checks };
  const visitFaked = (body: (page: Page) => Promise<void>) => visit(body, { before: answers(paths.metrics, faked) });

  proves("D2.2-066", ({ sees }) =>
    visitFaked(async (page) => {
      const figures = oneLine(await metricsOf(page).locator("dl").innerText());
      expect(figures).toBe("Audit Score 100.0% Of rows. Data Integrity N/A Of chains. Access Control 100.0% Of access.");
      sees(figures);
    }),
  );
  proves("D2.2-067", () =>
    visitFaked(async (page) => {
      const items = metricsOf(page).getByRole("list", { name: "HIPAA checks" }).getByRole("listitem");
      expect((await items.allInnerTexts()).map(oneLine)).toEqual([
        expect.stringMatching(/^The archive was verified Last verified at May 1, .* Passed$/),
        "Everybody has a second factor 1 of 2 Needs attention",
        "The chains are intact Not verified yet Not known yet",
      ]);
    }),
  );
  proves("D2.2-068", async ({ sees, quoted }) => {
    const text = await textWhileLoading(site, address, paths.metrics, "Compliance Metrics");
    expect(text).toBe(quoted[0]);
    sees(text);
  });
  proves("D2.8-011", async ({ sees, quoted }) => {
    const text = await textOfFailure(site, address, paths.metrics, "Compliance Metrics");
    expect(text).toContain(quoted[0]);
    sees(text);
  });

  test("are the platform's own, with every check it makes", () =>
    visit(async (page) => {
      const { checks: made } = await asConsole<{ checks: { name: string }[] }>(site, "GET", paths.metrics);
      const shown = await metricsOf(page).getByRole("list", { name: "HIPAA checks" }).getByRole("listitem").allInnerTexts();
      expect(shown.map((text) => text.split("\n")[0])).toEqual(made.map(({ name }) => name));
    }));
});

describe("user activity", () => {
  const activityOf = (page: Page): Locator => panelOf(page, "User Activity");

  proves("D2.2-069", ({ sees }) =>
    visit(async (page) => {
      const { activeUsers } = await asConsole<{ activeUsers: number }>(site, "GET", `${paths.users}?limit=20`);
      const figures = oneLine(await activityOf(page).locator("dl").innerText());
      expect(figures).toMatch(new RegExp(`^Active Users ${activeUsers} Logins Today \\d+ Failed Logins \\d+$`));
      sees(figures);
    }),
  );
  proves("D2.2-070", () =>
    visit(async (page) => {
      const items = activityOf(page).getByRole("list", { name: "Recent actions" }).getByRole("listitem");
      expect(await items.count()).toBeGreaterThan(0);
      expect(await items.count()).toBeLessThanOrEqual(20);
      await reads(activityOf(page), /System Administrator[^]*A user signed in\./);
    }),
  );
  proves("D2.2-071", async ({ sees, quoted }) => {
    const text = await textWhileLoading(site, address, paths.users, "User Activity");
    expect(text).toBe(quoted[0]);
    sees(text);
  });
  proves("D2.8-012", async ({ sees, quoted }) => {
    const text = await textOfFailure(site, address, paths.users, "User Activity");
    expect(text).toContain(quoted[0]);
    sees(text);
  });
});

describe("all audit events", () => {
  const logOf = (page: Page): Locator => panelOf(page, "All Audit Events");
  const rowsOf = (page: Page): Locator => logOf(page).locator("tbody tr");

  test("are searched by what is typed and by organization, which the address keeps", () =>
    visit(async (page) => {
      await logOf(page).getByLabel("Search", { exact: true }).fill("tenant.create");
      await press(logOf(page), "Apply Filters");
      await expect.poll(async () => (await rowsOf(page).allInnerTexts()).every((row) => /tenant\.create/.test(row)), patience).toBe(true);
      await expect.poll(() => rowsOf(page).filter({ hasText: "Audited Clinic" }).count(), patience).toBe(1);
      await press(logOf(page), "Clear Filters");
      await logOf(page).getByLabel("Organization").selectOption({ label: "Audited Clinic" });
      await expect.poll(() => new URL(page.url()).searchParams.get("organization"), patience).toBe(clinic.id);
      await reads(rowsOf(page).first(), /Audited Clinic/);
      await page.reload();
      await reads(rowsOf(page).first(), /Audited Clinic/);
      const rows = await rowsOf(page).allInnerTexts();
      expect(rows.filter((row) => !row.includes("Audited Clinic"))).toEqual([]);
    }));

  test("say who did it by name, and for a key whose it is, with the id below", async () => {
    await clinic.useTool("call-of-a-named-key", "logRoutingEvent", { reason: "billing", outcome: "transferred" });
    await visit(async (page) => {
      await logOf(page).getByLabel("Search", { exact: true }).fill("audit.read");
      await press(logOf(page), "Apply Filters");
      await reads(rowsOf(page).first(), /System Administrator\s+[0-9a-z]{26}/);
      await logOf(page).getByLabel("Search", { exact: true }).fill("API key of Audited Clinic");
      await press(logOf(page), "Apply Filters");
      await reads(rowsOf(page).first(), /API key of Audited Clinic\s+[0-9a-z]{26}/);
      await rowsOf(page)
        .first()
        .getByRole("button", { name: /details$/ })
        .click();
      await reads(dialogOf(page), /Actor\s+API key of Audited Clinic\s+Actor ID\s+[0-9a-z]{26}/);
      expect(await dialogOf(page).innerText()).toMatch(/Organization\s+Audited Clinic/);
    });
  });

  test("are those of now when an organization is chosen again", () =>
    visit(async (page) => {
      const choose = (label: string) => logOf(page).getByLabel("Organization").selectOption({ label });
      await choose("Audited Clinic");
      await reads(rowsOf(page).first(), /Audited Clinic/);
      await choose("All organizations");
      await expect.poll(() => new URL(page.url()).searchParams.has("organization"), patience).toBe(false);
      await reads(rowsOf(page).first(), /\w/);
      const { id } = await asConsole<{ id: string }>(site, "POST", `/api/admin/tenants/${clinic.id}/offices`, { name: "Opened meanwhile" });
      // Whoever asks twice within two seconds is answered once.
      await page.waitForTimeout(2000);
      await choose("Audited Clinic");
      await reads(logOf(page), /office\.create/);
      expect(id).toMatch(/^[0-9a-z]{26}$/);
    }));

  test("are two lines each on a tablet and on a phone, with nothing beyond the edge", async () => {
    for (const viewport of [
      { width: 768, height: 1024 },
      { width: 360, height: 780 },
    ])
      await site.visit({ as: site.demo.systemAdmin, viewport }, async ({ page }) => {
        await open(page, address);
        await reads(rowsOf(page).first(), /Success|Failed/);
        const first = (await rowsOf(page).first().boundingBox())!;
        expect(first.height).toBeLessThan(130);
        expect(first.x + first.width).toBeLessThanOrEqual(viewport.width);
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(viewport.width);
      });
  });

  test("open to all that is known of them, and lead to what else the same actor did", () =>
    visit(async (page) => {
      await rowsOf(page)
        .first()
        .getByRole("button", { name: /details$/ })
        .click();
      await reads(dialogOf(page), /Organization[^]*Request ID/);
      await press(dialogOf(page), "Show all of this request");
      await expect.poll(() => new URL(page.url()).searchParams.get("search"), patience).toMatch(/^[0-9a-f-]{36}$/);
      await expect
        .poll(
          () =>
            logOf(page)
              .getByLabel("Search", { exact: true })
              .evaluate((one) => one === document.activeElement),
          patience,
        )
        .toBe(true);
      expect(await dialogOf(page).count()).toBe(0);
    }));

  test("say what did not load, and load when asked again", async () => {
    expect(await textOfFailure(site, address, paths.log, "All Audit Events")).toContain("Failed to fetch audit logs");
  });
});

describe("the audit report", () => {
  const openReport = async (page: Page): Promise<Locator> => {
    await page.getByRole("button", { name: "Export Audit Report" }).click();
    await reads(dialogOf(page), /Start date/);
    return dialogOf(page);
  };
  const send = (dialog: Locator): Promise<void> => press(dialog, "Export");
  const textOf = async (download: Download): Promise<string> => readFileSync(await download.path(), "utf8");

  proves("D2.2-115", ({ sees, quoted }) =>
    visit(async (page) => {
      const title = (await openReport(page)).getByRole("heading", { level: 2, name: quoted[0] });
      expect(await title.count()).toBe(1);
      sees(await title.innerText());
    }),
  );
  proves("D2.2-116", () =>
    visit(async (page) => {
      const dialog = await openReport(page);
      for (const label of ["Start date", "End date"]) expect(await dialog.getByLabel(label, { exact: true }).inputValue()).not.toBe("");
      const formats = await dialog
        .getByLabel("Format")
        .locator("option")
        .evaluateAll((options) => options.map((one) => one.getAttribute("value")));
      expect(formats).toEqual(["csv", "pdf", "json"]);
    }),
  );
  proves("D2.2-117", () =>
    visit(async (page) => {
      const text = (await (await openReport(page)).innerText()).toLowerCase();
      for (const kind of [
        "logins and logouts",
        "patient data access",
        "fhir interactions",
        "voice conversations",
        "admin actions",
        "security events",
      ])
        expect(text).toContain(kind);
    }),
  );
  proves("D2.2-118", () =>
    visit(async (page) => {
      const dialog = await openReport(page);
      await dialog.getByLabel("Start date", { exact: true }).fill("May 13, 2026");
      await page.keyboard.press("Tab");
      await press(dialog, "Calendar for start date");
      const days = dialog.locator("[data-part=table-header]:visible");
      await expect.poll(() => days.allInnerTexts(), patience).toEqual(["S", "M", "T", "W", "T", "F", "S"]);
      // May 2026 begins on a Friday: in weeks from Sunday, five days of April stand before it.
      const first = dialog.locator("[data-part=table-row]:has([data-part=table-cell]):visible").first();
      await expect.poll(async () => (await first.innerText()).trim().split(/\s+/).slice(-2), patience).toEqual(["1", "2"]);
      await dialog.getByRole("button", { name: /May 3, 2026/ }).click();
      await expect.poll(() => dialog.getByLabel("Start date", { exact: true }).inputValue(), patience).toBe("May 03, 2026");
    }),
  );
  proves("D2.2-119", ({ sees, quoted }) =>
    visit(async (page) => {
      const field = (await openReport(page)).getByLabel("End date", { exact: true });
      expect(await field.inputValue()).toMatch(/^[A-Z][a-z]{2} \d\d, \d{4}$/);
      await field.fill("2026-05-04");
      await page.keyboard.press("Tab");
      await expect.poll(() => field.inputValue(), patience).toBe("May 04, 2026");
      const asked = await field.getAttribute("placeholder");
      expect(asked).toBe(quoted[0]);
      sees(asked);
    }),
  );
  proves("D2.4-015", ({ sees, quoted }) =>
    visit(async (page) => {
      const dialog = await openReport(page);
      const download = page.waitForEvent("download");
      await dialog.getByRole("button", { name: "Export", exact: true }).dblclick();
      const busy = dialog.getByRole("button", { name: quoted[0] });
      await expect.poll(() => busy.count(), patience).toBe(1);
      sees(await busy.innerText());
      const file = await download;
      expect(file.suggestedFilename()).toMatch(/^audit-.*\.csv$/);
      expect(await textOf(file)).toContain("session.login");
      await expect.poll(() => dialogOf(page).count(), patience).toBe(0);
      await reads(panelOf(page, "Earlier exports"), /You[^]*CSV[^]*Ready/);
      expect(await panelOf(page, "Earlier exports").locator("tbody tr").count()).toBe(1);
    }),
  );
  proves("D2.9-005", () =>
    visit(async (page) => {
      const dialog = await openReport(page);
      await page.route("**/api/admin/audit/export", async (route) => {
        const response = await route.fetch();
        await route.fulfill({ response });
      });
      const answered = page.waitForResponse((response) => response.url().endsWith(paths.report));
      const download = page.waitForEvent("download");
      const begin = Date.now();
      await send(dialog);
      await answered;
      await reads(dialog, /Exporting\.\.\./);
      await download;
      expect(Date.now() - begin).toBeGreaterThanOrEqual(2000);
    }),
  );

  test("is json and pdf, too", () =>
    visit(async (page) => {
      for (const format of ["json", "pdf"]) {
        const dialog = await openReport(page);
        await dialog.getByLabel("Format").selectOption(format);
        const [download] = await Promise.all([page.waitForEvent("download"), send(dialog)]);
        const file = await textOf(download);
        if (format === "json") expect((JSON.parse(file) as { action: string }[]).map(({ action }) => action)).toContain("tenant.create");
        else expect(file.slice(0, 5)).toBe("%PDF-");
        await expect.poll(() => dialogOf(page).count(), patience).toBe(0);
      }
    }));

  test("can be sent while its calendar is open, in a low window too", () =>
    visit(async (page) => {
      await page.setViewportSize({ width: 1024, height: 600 });
      const dialog = await openReport(page);
      await press(dialog, "Calendar for start date");
      await expect.poll(() => dialog.locator("[data-part=table-header]:visible").count(), patience).toBe(7);
      const button = (await dialog.getByRole("button", { name: "Export", exact: true }).boundingBox())!;
      const frame = (await dialog.boundingBox())!;
      expect(button.y + button.height).toBeLessThanOrEqual(Math.min(600, frame.y + frame.height));
    }));

  test("of a year with thousands of events is told to be under way, and downloaded whole when it is ready, in each format", async () => {
    const events = Array.from({ length: 2100 }, (_, at) => ({ action: "office.update", secondsAgo: 3600 + at * 14_000 }));
    await plantEvents(site, clinic.id, events);
    const lastYear = new Date(Date.now() - 360 * 86_400_000).toISOString().slice(0, 10);
    await visit(async (page) => {
      for (const format of ["csv", "json", "pdf"]) {
        const dialog = await openReport(page);
        await dialog.getByLabel("Start date", { exact: true }).fill(lastYear);
        await page.keyboard.press("Tab");
        await dialog.getByLabel("Format").selectOption(format);
        const download = page.waitForEvent("download", { timeout: 60_000 });
        await send(dialog);
        await reads(toastsOf(page), /Export started/);
        await reads(panelOf(page, "Earlier exports").locator("tbody tr").first(), new RegExp(format.toUpperCase()));
        const file = await textOf(await download);
        await reads(toastsOf(page), /Export ready[^]*2,\d{3} events\. The download has started\./);
        if (format === "csv")
          expect(file.split("\r\n").filter((line) => line.includes("office.update")).length).toBeGreaterThanOrEqual(2100);
        else if (format === "json")
          expect(
            (JSON.parse(file) as { action: string }[]).filter(({ action }) => action === "office.update").length,
          ).toBeGreaterThanOrEqual(2100);
        else expect(file).toMatch(/^%PDF-[^]*%%EOF\s*$/);
      }
    });
    const told = await asConsole<{ action: string }[]>(site, "GET", `${paths.log}?search=audit.export&limit=100`);
    for (const action of ["audit.export", "audit.exportReady"]) expect(told.map((one) => one.action)).toContain(action);
  });

  test("that is refused says why, keeps what was chosen, and asks before that is lost", () =>
    visit(
      async (page) => {
        const dialog = await openReport(page);
        await page.route("**/api/admin/audit/export", (route) => route.fulfill(unanswered), { times: 1 });
        await dialog.getByLabel("Format").selectOption("pdf");
        await dialog.getByLabel("Start date", { exact: true }).fill("Nov 30, 2023");
        await page.keyboard.press("Tab");
        await send(dialog);
        await reads(dialog.getByRole("alert"), /The database could not be reached/);
        expect(await dialog.getByLabel("Format").inputValue()).toBe("pdf");
        await send(dialog);
        await reads(dialog, /A report covers at most one year/);
        await page.keyboard.press("Escape");
        await reads(page.getByRole("alertdialog"), /Discard changes\?/);
        await press(page.getByRole("alertdialog"), "Discard");
        await expect.poll(() => dialogOf(page).count(), patience).toBe(0);
      },
      { refused: [`503 POST ${paths.report}`, `400 POST ${paths.report}`] },
    ));
});

describe("what waits for somebody", () => {
  const kept = {
    ...{ id: "01hzzzzzzzzzzzzzzzzzzzzzz1", from: "vapi", reason: "not_found", at: "2026-05-01T09:00:00.000Z" },
    ...{ bytes: 1204, tries: 1, nextTryAt: null, replayable: true },
  };

  test("kept events are replayed once, and their content is shown to nobody", () =>
    visit(
      async (page) => {
        const panel = panelOf(page, "Kept Events");
        await reads(panel, /Audited Clinic[^]*Not found/);
        const asked: string[] = [];
        await page.route("**/replay", (route) => {
          asked.push(new URL(route.request().url()).pathname);
          return route.fulfill({ json: { ...kept, tenantId: clinic.id, tries: 2, replayable: false } });
        });
        await panel.getByRole("button", { name: /^Replay/ }).dblclick();
        await reads(toastsOf(page), /Replay started/);
        expect(asked).toEqual([`/api/admin/tenants/${clinic.id}/kept-events/${kept.id}/replay`]);
        await reads(panel, /Not possible/);
      },
      { before: (page) => answers("/api/admin/kept-events", [{ ...kept, tenantId: clinic.id }])(page) },
    ));

  test("stands above the log, and is as many in its heading as in the compliance checks", async () => {
    fault = ({ service, operation, principalArn }) =>
      service === "s3" && operation === "PutObject" && /voice|probe/i.test(principalArn)
        ? { status: 403, code: "AccessDenied", message: "no" }
        : undefined;
    const report = { type: "end-of-call-report", endedReason: "customer-ended-call", durationSeconds: 60 };
    await clinic.tell("a-call-that-is-kept", { ...report, artifact: { transcript: "A talk." } }).finally(() => (fault = undefined));
    await visit(async (page) => {
      await reads(panelOf(page, "Kept Events"), /^Kept Events\s+1 waiting[^]*Audited Clinic/);
      expect(await panelOf(page, "Kept Events").locator("tbody tr").count()).toBe(1);
      await reads(panelOf(page, "Compliance Metrics"), /Every event was processed\s+1 could not be processed and is kept for replay/);
      const tops = await Promise.all(
        ["Kept Events", "Contact Messages", "Compliance Metrics", "All Audit Events"].map(
          async (name) => (await panelOf(page, name).boundingBox())!.y,
        ),
      );
      expect(tops).toEqual(tops.toSorted((one, other) => one - other));
    });
  });

  test("contact messages are read only when somebody asks to", async () => {
    const message = {
      firstName: "Vera",
      lastName: "Visitor",
      email: "vera@example.com",
      message: "Please <b>call</b> us.",
      industry: "dental",
    };
    expect((await site.api("POST", "/api/contact", { body: message })).status).toBe(201);
    await visit(async (page) => {
      let asked = 0;
      page.on("request", (request) => {
        if (new URL(request.url()).pathname === "/api/admin/contact-messages") asked += 1;
      });
      const panel = panelOf(page, "Contact Messages");
      expect(asked).toBe(0);
      await press(panel, "Show messages");
      await panel.getByText("Vera Visitor").first().click();
      await reads(panel, /Please <b>call<\/b> us\./);
      expect(asked).toBe(1);
    });
  });
});
