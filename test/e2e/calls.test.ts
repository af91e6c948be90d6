import { readFileSync } from "node:fs";
import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { runCall } from "../call/run-call.ts";
import { proves } from "../requirements/proves.ts";
import { open, patience, reads, settled } from "./look.fixture.ts";
import { addTenant } from "./people.fixture.ts";
import { badCall, idOf, minutesAgo, report, type Reported } from "./reported-calls.fixture.ts";
import { openSite, phone, type Login, type Site } from "./site.fixture.ts";

const resolvedCall = (): Reported => ({
  callId: "went-well",
  startedAt: minutesAgo(90),
  durationSeconds: 272,
  endedReason: "customer-ended-call",
  summary: "Asked for the opening hours.",
});
const forwardedCall = (): Reported => ({ callId: "put-through", startedAt: minutesAgo(60), durationSeconds: 61, forwarded: true });
const untimedCall = (): Reported => ({ callId: "never-timed", status: "no_answer", startedAt: minutesAgo(45) });

let site: Site;
/** With four calls; one that never had any; one for what changes. */
let clinic: Login;
let quiet: Login;
let busy: Login;
beforeAll(async () => {
  site = await openSite();
  clinic = await addTenant(site, "Calls Clinic");
  quiet = await addTenant(site, "Quiet Clinic");
  busy = await addTenant(site, "Busy Clinic");
  await report(site, clinic, [resolvedCall(), forwardedCall(), untimedCall(), badCall("broke-off")]);
});
afterAll(() => site?.close());

const analytics = "/tenant?tab=analytics";
const panelOf = (page: Page): Locator => page.getByRole("region", { name: "Recent Call Details", exact: true });
const rowsOf = (page: Page): Locator => panelOf(page).getByRole("table").locator("tbody tr");
const rowOf = (page: Page, text: string): Locator => rowsOf(page).filter({ hasText: text });
const dialogOf = (page: Page): Locator => page.getByRole("dialog");
const placeOf = (page: Page): URLSearchParams => new URL(page.url()).searchParams;
const focusedText = (page: Page): Promise<string> => page.evaluate(() => document.activeElement?.textContent ?? "");
const unavailable = {
  status: 503,
  json: { error: "The database could not be reached.", code: "unavailable", requestId: "0123456789abcdef" },
};

/** The panel is on the page with its rows, or with what it says instead. */
async function openCalls(page: Page, filters = ""): Promise<void> {
  await open(page, analytics + filters);
  await reads(panelOf(page), /shown|No /);
  await settled(page);
}

/** Which requests of a kind the page makes from now on, as "GET /api/…". */
const hear = (page: Page, pattern: RegExp): string[] => {
  const heard: string[] = [];
  page.on("request", (request) => {
    const one = `${request.method()} ${new URL(request.url()).pathname}`;
    if (pattern.test(one)) heard.push(one);
  });
  return heard;
};

describe("the table of calls", () => {
  proves("D1.2-103", async ({ quoted, sees }) => {
    await site.visit({ as: clinic }, async ({ page }) => {
      await openCalls(page);
      const titles = await panelOf(page).getByRole("columnheader").allInnerTexts();
      expect(titles.slice(0, 5)).toEqual(quoted.slice(-5));
      expect(await panelOf(page).getByRole("heading", { name: "Recent Call Details" }).count()).toBe(1);
      sees([await panelOf(page).innerText(), ...titles].join("\n"));
    });
  });
  proves("D1.2-107", async ({ sees }) => {
    await site.visit({ as: quiet }, async ({ page }) => {
      await openCalls(page);
      expect(await rowsOf(page).count()).toBe(0);
      sees(await panelOf(page).innerText());
    });
  });
  proves("D1.9-012", async ({ sees }) => {
    await site.visit({ as: clinic }, async ({ page }) => {
      await openCalls(page);
      const durations = await rowsOf(page).locator("td:nth-child(2)").allInnerTexts();
      expect(durations.toSorted()).toEqual(["1m 1s", "1m 35s", "4m 32s", "N/A"]);
      sees(durations.join("\n"));
    });
  });
  proves("D1.4-009", async ({ sees }) => {
    await site.visit({ as: clinic }, async ({ page }) => {
      await openCalls(page);
      const outcomes = rowsOf(page).locator("td:nth-child(5)");
      expect(await outcomes.filter({ hasText: "Resolved" }).count()).toBe(1);
      expect(await outcomes.filter({ hasText: "Transferred" }).count()).toBe(3);
      expect(await rowOf(page, "4m 32s").innerText()).toContain("Resolved");
      expect(await rowOf(page, "1m 1s").innerText()).toContain("Transferred");
      sees((await outcomes.allInnerTexts()).join("\n"));
    });
  });

  test("stands newest first, with a status in words, and is cards on a phone", async () => {
    await site.visit({ as: clinic, viewport: phone }, async ({ page }) => {
      await openCalls(page);
      const moments = await rowsOf(page)
        .locator("time")
        .evaluateAll((times) => times.map((time) => time.getAttribute("datetime") ?? ""));
      expect(moments).toEqual(moments.toSorted().toReversed());
      const statuses = await rowsOf(page).locator("td:nth-child(3)").allInnerTexts();
      expect(statuses.map((status) => status.trim()).toSorted()).toEqual(["Completed", "Completed", "Failed", "No answer"]);
      await rowOf(page, "4m 32s").getByRole("link", { name: "View" }).click();
      await reads(dialogOf(page), /Asked for the opening hours/);
    });
  });

  test("shows more calls when asked, and then says that it is all", async () => {
    const many = Array.from({ length: 13 }, (_, index) => ({
      callId: `many-${index}`,
      startedAt: minutesAgo(200 - index),
      durationSeconds: 60,
    }));
    const manifold = await addTenant(site, "Manifold Clinic");
    await report(site, manifold, many);
    await site.visit({ as: manifold }, async ({ page }) => {
      await openCalls(page);
      expect(await rowsOf(page).count()).toBe(10);
      await panelOf(page).getByRole("button", { name: "Load more" }).click();
      await reads(panelOf(page), /13 calls shown, that is all/);
      expect(await rowsOf(page).count()).toBe(13);
    });
  });

  test("that cannot be read says so beside the other panels, and is read again on Retry", async () => {
    await site.visit({ as: clinic, refused: ["503 GET /api/tenant/calls"] }, async ({ page }) => {
      await page.route("**/api/tenant/calls?*", (route) => route.fulfill(unavailable));
      await open(page, analytics);
      await reads(panelOf(page).getByRole("alert"), /Failed to load calls[^]*could not be reached[^]*0123456789abcdef/);
      await reads(page.getByRole("region", { name: "Call Analytics" }), /Total Calls/);
      await page.unroute("**/api/tenant/calls?*");
      await panelOf(page).getByRole("button", { name: "Retry" }).click();
      await expect.poll(() => rowsOf(page).count(), patience).toBe(4);
    });
  });
});

describe("the filters", () => {
  test("hold at once where they are buttons, stand in the address, and go with the browser's way back", async () => {
    await site.visit({ as: clinic }, async ({ page }) => {
      await openCalls(page);
      const button = panelOf(page).getByRole("button", { name: "Needs follow-up" });
      await button.click();
      await expect.poll(() => rowsOf(page).count(), patience).toBe(2);
      expect(await button.getAttribute("aria-pressed")).toBe("true");
      expect([...placeOf(page)]).toEqual([
        ["tab", "analytics"],
        ["needsFollowUp", "true"],
      ]);
      await page.reload();
      await expect.poll(() => rowsOf(page).count(), patience).toBe(2);
      await page.goBack();
      await expect.poll(() => rowsOf(page).count(), patience).toBe(4);
      await panelOf(page).getByRole("button", { name: "Last 7 days" }).click();
      await expect.poll(() => placeOf(page).get("from"), patience).toMatch(/^\d{4}-\d\d-\d\d$/);
      await expect.poll(() => rowsOf(page).count(), patience).toBe(4);
    });
  });

  test("of the form hold when they are applied, by the keyboard too, and keep the focus", async () => {
    await site.visit({ as: clinic }, async ({ page }) => {
      await openCalls(page);
      const asked = hear(page, /^GET \/api\/tenant\/calls$/);
      await panelOf(page).getByRole("button", { name: "More filters" }).click();
      const form = page.getByRole("search", { name: "Calls" });
      await form.getByLabel("Status").selectOption({ label: "Completed" });
      await form.getByLabel("Outcome").selectOption({ label: "Transferred to a person" });
      expect(asked).toEqual([]);
      await form.getByRole("button", { name: "Apply Filters" }).focus();
      await page.keyboard.press("Enter");
      await expect.poll(() => rowsOf(page).count(), patience).toBe(1);
      await expect.poll(() => focusedText(page), patience).toBe("Apply Filters");
      await reads(rowsOf(page), /1m 1s/);
      await form.getByRole("button", { name: "Clear" }).click();
      await expect.poll(() => rowsOf(page).count(), patience).toBe(4);
      expect(await form.getByLabel("Status").inputValue()).toBe("");
      await form.getByLabel("Search").fill("Assistant-ERROR");
      await page.keyboard.press("Enter");
      await expect.poll(() => rowsOf(page).count(), patience).toBe(1);
      await reads(rowsOf(page), /1m 35s/);
      await page.goBack();
      await expect.poll(() => form.getByLabel("Search").inputValue(), patience).toBe("");
    });
  });

  test("that were chosen and not yet applied outlive a period chosen at one press", async () => {
    await site.visit({ as: clinic }, async ({ page }) => {
      await openCalls(page);
      await panelOf(page).getByRole("button", { name: "More filters" }).click();
      const form = page.getByRole("search", { name: "Calls" });
      await form.getByLabel("Search").fill("assistant-error");
      await form.getByLabel("Status").selectOption({ label: "Completed" });
      await panelOf(page).getByRole("button", { name: "Last 7 days" }).click();
      await expect.poll(() => form.getByLabel("First day").inputValue(), patience).toMatch(/^\d{4}-\d\d-\d\d$/);
      expect(await form.getByLabel("Search").inputValue()).toBe("assistant-error");
      expect(await form.getByLabel("Status").inputValue()).toBe("completed");
      await form.getByRole("button", { name: "Clear" }).click();
      await expect.poll(() => form.getByLabel("First day").inputValue(), patience).toBe("");
      expect(await form.getByLabel("Search").inputValue()).toBe("");
      expect(placeOf(page).get("from")).toBeNull();
    });
  });

  test("that contradict each other are told at the field, and nothing is asked for", async () => {
    await site.visit({ as: clinic }, async ({ page }) => {
      await openCalls(page);
      const asked = hear(page, /^GET \/api\/tenant\/calls$/);
      await panelOf(page).getByRole("button", { name: "More filters" }).click();
      const form = page.getByRole("search", { name: "Calls" });
      await form.getByLabel("First day").fill("2026-05-02");
      await form.getByLabel("Last day").fill("2026-05-01");
      await form.getByRole("button", { name: "Apply Filters" }).click();
      await reads(form, /Must not be before the first day/);
      expect(await form.getByLabel("Last day").getAttribute("aria-invalid")).toBe("true");
      expect(asked).toEqual([]);
      await form.getByLabel("Last day").fill("2026-05-03");
      await form.getByRole("button", { name: "Apply Filters" }).click();
      await reads(panelOf(page), /No calls match these filters/);
    });
  });

  test("that hide everything offer the way back to all, and the focus goes there", async () => {
    await site.visit({ as: clinic }, async ({ page }) => {
      await openCalls(page, "&q=no-such-call&needsFollowUp=true");
      await reads(panelOf(page), /No calls match these filters/);
      expect(await panelOf(page).innerText()).not.toContain("No call data available");
      await panelOf(page).getByRole("button", { name: "Show all calls" }).click();
      await expect.poll(() => rowsOf(page).count(), patience).toBe(4);
      await expect.poll(() => focusedText(page), patience).toBe("Any time");
      expect([...placeOf(page)]).toEqual([["tab", "analytics"]]);
    });
  });
});

describe("the export", () => {
  const download = async (page: Page): Promise<{ name: string; lines: string[] }> => {
    const [file] = await Promise.all([page.waitForEvent("download"), panelOf(page).getByRole("button", { name: "Export CSV" }).click()]);
    return {
      name: file.suggestedFilename(),
      lines: readFileSync(await file.path(), "utf8")
        .trim()
        .split("\r\n"),
    };
  };

  test("holds the calls that pass the filters", async () => {
    await site.visit({ as: clinic }, async ({ page }) => {
      await openCalls(page, "&needsFollowUp=true");
      const { name, lines } = await download(page);
      expect(name).toMatch(/^calls-\d{4}-\d\d-\d\d\.csv$/);
      expect(lines).toHaveLength(3);
      expect(lines[0]).toMatch(/^Call,Started \(UTC\),/);
      expect(lines.join()).toMatch(/assistant-error/);
      await reads(page.getByRole("region", { name: /notifications/i }), /Calls exported[^]*2 calls in calls-/);
    });
  });

  test("holds nothing that a spreadsheet would run", async () => {
    const formulas = ['=HYPERLINK("https://evil.example")', "+1+1", "-2+3", "@SUM(A1)", "\t=1+1"];
    const targeted = await addTenant(site, "Targeted Clinic");
    await report(
      site,
      targeted,
      formulas.map((endedReason, at) => ({ callId: `=cmd-${at}`, startedAt: minutesAgo(50 - at), durationSeconds: 60, endedReason })),
    );
    await site.visit({ as: targeted }, async ({ page }) => {
      await openCalls(page);
      const { lines } = await download(page);
      expect(lines).toHaveLength(formulas.length + 1);
      const cells = lines.slice(1).flatMap((line) => line.split(/,(?=(?:[^"]*"[^"]*")*[^"]*$)/));
      expect(cells.filter((cell) => /^"?[=+\-@\t]/.test(cell))).toEqual([]);
      expect(lines.join("\n")).toContain("'=HYPERLINK(");
      expect(lines.join("\n")).toContain("'+1+1");
    });
  });

  test("says when it is not all of them", async () => {
    await site.visit({ as: clinic }, async ({ page }) => {
      await page.route("**/api/tenant/calls/export*", (route) =>
        route.fulfill({ json: { fileName: "calls-2026-05-01.csv", rows: 2000, complete: false, csv: "Call\r\n" } }),
      );
      await openCalls(page);
      await download(page);
      await reads(panelOf(page), /The file holds the newest 2,000 of these calls/);
      await panelOf(page).getByRole("button", { name: "Needs follow-up" }).click();
      await expect.poll(() => panelOf(page).innerText(), patience).not.toContain("newest 2,000");
    });
  });
});

describe("a call", () => {
  test("opens from its row and by its address, shows all that is known, and gives the focus back", async () => {
    await site.visit({ as: clinic }, async ({ page }) => {
      await openCalls(page);
      const readings = hear(page, /^GET \/api\/tenant\/calls\/[0-9a-f]{40}$/);
      const link = rowOf(page, "1m 35s").getByRole("link", { name: /^View the call of/ });
      await link.focus();
      await page.keyboard.press("Enter");
      const dialog = dialogOf(page);
      for (const text of [
        /Needs follow-up/,
        /The caller asked for a refill/,
        /Agent · 0:01\s+Thank you for calling/,
        /Caller · 0:04\s+I need my <b>refill<\/b>, please\./,
        /Staff · 1:01\s/,
        /Ended because\s+Assistant error/,
        /Put through to a person\s+No/,
        /Caller's number\s+\+14155550134/,
        /Caller's mood\s+Negative/,
        /Agent's reply time\s+640 ms median, 1,210 ms at the 95th percentile/,
        /Cost\s+\$0\.1234/,
        /Wants callback\s+Yes/,
        /No tool ran in this call/,
      ])
        await reads(dialog, text);
      expect(await dialog.locator("b").count()).toBe(0);
      expect(placeOf(page).get("call")).toMatch(/^[0-9a-f]{40}$/);
      await page.keyboard.press("Escape");
      await expect.poll(() => dialog.count(), patience).toBe(0);
      expect(placeOf(page).get("call")).toBeNull();
      await expect.poll(() => focusedText(page), patience).toMatch(/^View the call of/);

      // What was read is not kept: looking again is another reading, which is audited.
      await page.goForward();
      await reads(dialog, /The caller asked for a refill/);
      expect(readings).toHaveLength(2);
      await page.reload();
      await reads(dialog, /The caller asked for a refill/);
      await dialog.getByRole("button", { name: "Close" }).click();
      await expect.poll(() => dialog.count(), patience).toBe(0);
      expect(placeOf(page).get("call")).toBeNull();
    });
  });

  test("shows whatever a caller or a platform has written as text, and nothing of it makes a phone scroll sideways", async () => {
    const hostile = [
      "<img src=x onerror=\"document.title='taken'\"><script>document.title='taken'</script>",
      "[click](javascript:document.title='taken') ![x](https://evil.example/x.png) **bold**",
      "\u202egnirts\u202c \u05e9\u05dc\u05d5\u05dd \u0645\u0631\u062d\u0628\u0627 a\u200bb\u200dc\ufeffd",
      "W".repeat(5000),
    ].join("\n");
    const targeted = await addTenant(site, "Hostile Clinic");
    const name = "<b>Caller</b>".padEnd(100, "W");
    const hostileCall = {
      ...badCall("hostile"),
      ...{ summary: hostile, agentName: name, endedReason: name, callerNumber: "<i>+1</i>", sentiment: name },
      ...{ analysis: { [name]: hostile, callerName: name }, transcript: { messages: [{ role: "caller", text: hostile, atSeconds: 1 }] } },
    };
    await report(site, targeted, [hostileCall]);
    const id = await idOf(site, targeted, "hostile");
    await site.visit({ as: targeted, viewport: phone }, async ({ page }) => {
      const elsewhere: string[] = [];
      page.on("request", (request) => void (request.url().startsWith(site.origin) || elsewhere.push(request.url())));
      const wide = (part: Locator) => part.evaluate((element) => element.scrollWidth - element.clientWidth);
      await openCalls(page);
      expect(await wide(page.locator("html"))).toBe(0);
      await open(page, `${analytics}&call=${id}`);
      const dialog = dialogOf(page);
      await reads(
        dialog.getByRole("region", { name: "Summary" }),
        /<img src=x onerror=[^]*\[click\]\(javascript:[^]*\*\*bold\*\*[^]*W{5000}/,
      );
      // What is far below is not drawn before one comes near it.
      expect(await dialog.getByRole("region", { name: "Conversation" }).textContent()).toMatch(/<script>[^]*W{5000}/);
      const facts = dialog.getByRole("region", { name: "Facts" });
      await reads(facts, /<i>\+1<\/i>/);
      await reads(facts, /<b>Caller<\/b>W/);
      expect(await dialog.locator("b, i, img, script, strong, a[href^=javascript]").count()).toBe(0);
      expect([await wide(page.locator("html")), await wide(dialog.locator(":scope > div"))]).toEqual([0, 0]);
      expect([await page.title(), elsewhere]).toEqual([expect.not.stringContaining("taken"), []]);
    });
  });

  test("shows which tools ran, when and how it went", async () => {
    const { apiKey, admin } = site.demo.tenants[0]!;
    const { callId } = await runCall({ origin: site.origin, apiKey, platform: "vapi", scenario: "book", patient: site.demo.patients[0]! });
    await site.platform.cloud.drained();
    const id = await idOf(site, admin, callId);
    const { json: known } = await site.api("GET", `/api/tenant/calls/${id}`, { token: await site.tokenFor(admin) });
    await site.visit({ as: admin }, async ({ page }) => {
      await openCalls(page, `&q=${callId}`);
      await rowsOf(page)
        .getByText(/^\d+ tools?$/)
        .click();
      await reads(rowsOf(page), /verifyPatientIdentity/);
      await rowsOf(page).getByRole("link", { name: "View" }).click();
      const tools = dialogOf(page).getByRole("region", { name: "Tools" }).getByRole("listitem");
      await reads(tools.first(), /verifyPatientIdentity\s*(Succeeded|Failed)\s*(at \d+:\d\d|.* [AP]M) · [\d,]+ ms\s*Request ID: \S+/);
      expect(await tools.count()).toBe(known.toolRuns.length);
      expect(await tools.filter({ hasText: "Failed" }).count()).toBe(
        known.toolRuns.filter(({ status }: { status: string }) => status === "failed").length,
      );
      await reads(dialogOf(page).getByRole("region", { name: "Conversation" }), /Agent[^]*Caller/);
      expect(placeOf(page).get("call")).toBe(id);
    });
  });

  test("of another tenant is not found, and one that cannot be is not asked for", async () => {
    const id = await idOf(site, clinic, "broke-off");
    await site.visit({ as: quiet, refused: [`404 GET /api/tenant/calls/${id}`] }, async ({ page }) => {
      await open(page, `${analytics}&call=${id}`);
      await reads(dialogOf(page).getByRole("alert"), /Failed to load the call/);
      expect(await page.locator("body").innerText()).not.toMatch(/refill|4155550134/);
      await page.keyboard.press("Escape");
      await expect.poll(() => dialogOf(page).count(), patience).toBe(0);
      await openCalls(page, "&call=..");
      expect(await dialogOf(page).count()).toBe(0);
    });
  });

  test("that does not load says so and is asked for again", async () => {
    const id = await idOf(site, clinic, "went-well");
    await site.visit({ as: clinic, refused: [`503 GET /api/tenant/calls/${id}`] }, async ({ page }) => {
      await page.route(`**/api/tenant/calls/${id}`, (route) => route.fulfill(unavailable));
      await open(page, `${analytics}&call=${id}`);
      await reads(dialogOf(page), /Failed to load the call[^]*0123456789abcdef/);
      await page.unroute(`**/api/tenant/calls/${id}`);
      await dialogOf(page).getByRole("button", { name: "Retry" }).click();
      await reads(dialogOf(page), /Asked for the opening hours/);
      expect(await dialogOf(page).innerText()).not.toMatch(/follow-?up/i);
    });
  });

  test("of many turns shows the first of them, and all on request", async () => {
    const messages = Array.from({ length: 450 }, (_, index) => ({
      role: index % 2 ? "caller" : "assistant",
      text: `Turn ${index + 1}.`,
      atSeconds: index,
    }));
    await report(site, busy, [{ callId: "long-talk", startedAt: minutesAgo(20), transcript: { messages } }]);
    const id = await idOf(site, busy, "long-talk");
    await site.visit({ as: busy }, async ({ page }) => {
      await open(page, `${analytics}&call=${id}`);
      const turns = dialogOf(page).getByRole("region", { name: "Conversation" }).getByRole("listitem");
      await expect.poll(() => turns.count(), patience).toBe(200);
      await page.getByRole("button", { name: "Show all 450 turns" }).click();
      await expect.poll(() => turns.count(), patience).toBe(450);
      await expect.poll(() => focusedText(page), patience).toContain("Turn 201.");
    });
  });
});

describe("a follow-up", () => {
  /** Open, of a call of its own. */
  const openBadCall = async (page: Page, callId: string): Promise<string> => {
    await report(site, busy, [badCall(callId)]);
    const id = await idOf(site, busy, callId);
    await openCalls(page, "&needsFollowUp=true");
    await rowOf(page, "1m 35s").first().getByRole("link", { name: "View" }).click();
    await reads(dialogOf(page), /Needs follow-up/);
    return id;
  };
  const done = (page: Page): Locator => dialogOf(page).getByRole("button", { name: "Mark as followed up" });
  const markAll = async (): Promise<void> => {
    const token = await site.tokenFor(busy);
    const { json } = await site.api<{ id: string }[]>("GET", "/api/tenant/calls?needsFollowUp=true", { token });
    for (const { id } of json) await site.api("PUT", `/api/tenant/calls/${id}/follow-up`, { token, body: { done: true } });
  };

  test("is marked once with a note, shows in the table, and is taken back", async () => {
    await site.visit({ as: busy }, async ({ page }) => {
      await openBadCall(page, "follow-1");
      const writes = hear(page, /^PUT /);
      await dialogOf(page).getByLabel(/^Note/).fill("Called back, all well.");
      await done(page).dblclick();
      await reads(dialogOf(page), /Followed up\n[^]*by you[^]*Called back, all well\./);
      expect(writes).toHaveLength(1);
      await expect.poll(() => focusedText(page), patience).toBe("Followed up");
      await dialogOf(page).getByRole("button", { name: "Reopen" }).click();
      await reads(dialogOf(page), /Needs follow-up/);
      await done(page).click();
      await reads(dialogOf(page), /Followed up\n/);
      await page.keyboard.press("Escape");
      await expect.poll(() => dialogOf(page).count(), patience).toBe(0);
      expect(await rowsOf(page).innerText()).not.toContain("Needs follow-up");
      await page.getByRole("tab", { name: "Overview" }).click();
      await expect.poll(() => panelOf(page).count(), patience).toBe(0);
      await page.goBack();
      await reads(panelOf(page), /shown|No /);
      expect((await rowsOf(page).allInnerTexts()).join()).not.toContain("Needs follow-up");
      await page.reload();
      await reads(panelOf(page), /No calls match these filters/);
    });
  });

  test("that somebody else has changed meanwhile is shown as it stands, and the note stays", async () => {
    await site.visit({ as: busy, refused: [`409 PUT /api/tenant/calls/${await idAfter("follow-2")}/follow-up`] }, async ({ page }) => {
      const id = await openBadCall(page, "follow-2");
      const body = { done: true, note: "Mine was first" };
      expect((await site.api("PUT", `/api/tenant/calls/${id}/follow-up`, { token: await site.tokenFor(busy), body })).status).toBe(200);
      await dialogOf(page).getByLabel(/^Note/).fill("Second thoughts");
      await done(page).click();
      await reads(dialogOf(page), /Somebody else has changed this call meanwhile/);
      await reads(dialogOf(page), /Mine was first/);
      expect(await dialogOf(page).getByLabel(/^Note/).inputValue()).toBe("Second thoughts");
      await done(page).click();
      await reads(dialogOf(page), /Followed up\n[^]*Second thoughts/);
    });
  });

  test("that was begun can be discarded, which leads back to the table", async () => {
    await idAfter("follow-4");
    await site.visit({ as: busy }, async ({ page }) => {
      await openBadCall(page, "follow-4");
      await dialogOf(page).getByLabel(/^Note/).fill("Begun");
      await page.keyboard.press("Escape");
      await page.getByRole("alertdialog").getByRole("button", { name: "Discard" }).click();
      await expect.poll(() => page.getByRole("dialog").count(), patience).toBe(0);
      expect(new URL(page.url()).searchParams.get("call")).toBeNull();
    });
  });

  test("that could not be saved keeps the note, which is not closed away by mistake", async () => {
    const id = await idAfter("follow-3");
    await site.visit({ as: busy, refused: [`503 PUT /api/tenant/calls/${id}/follow-up`] }, async ({ page }) => {
      await page.route("**/follow-up", (route) => route.fulfill(unavailable));
      await openBadCall(page, "follow-3");
      await dialogOf(page).getByLabel(/^Note/).fill("Left a message");
      await done(page).click();
      await reads(dialogOf(page).getByRole("alert"), /could not be reached/);
      await page.keyboard.press("Escape");
      await reads(page.getByRole("alertdialog"), /Discard changes/);
      await page.getByRole("button", { name: "Keep editing" }).click();
      expect(await dialogOf(page).getByLabel(/^Note/).inputValue()).toBe("Left a message");
      await page.unroute("**/follow-up");
      await done(page).click();
      await reads(dialogOf(page), /Followed up\n/);
    });
  });

  /** The id that a call will have, once it is reported alone among those to be looked after. */
  async function idAfter(callId: string): Promise<string> {
    await markAll();
    await report(site, busy, [badCall(callId)]);
    return idOf(site, busy, callId);
  }
});
