import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import type { Page } from "playwright-core";
import { usualHistory } from "../../packages/local-cloud/demo/history.ts";
import { startPlatform } from "../../packages/local-cloud/platform.ts";
import { type PictureName, pictures, pictureSize } from "../../web/src/features/site/content/pictures.ts";
import { startBrowser } from "../kit/browser/start.ts";

/**
 * `npm run pictures`: the public site's pictures of the product, from the real screens over the demo data and some calls, as WebP in both
 * color schemes.
 */

const project = path.resolve(import.meta.dirname, "../..");
const folder = path.join(project, "web/src/features/site/pictures");
const quality = 55;
/** Sharp on phones and on most notebooks. */
const pixelsPerPoint = 1.5;
const calls = ["book", "refill", "insurance", "transfer", "reschedule", "lead", "clinical", "office-facts", "wrong-person", "book"];

type Screen = {
  address: (callId: string, patientId: string) => string;
  ready: string;
  arrange?: (page: Page, patientId: string) => Promise<unknown>;
};

const screens = {
  overview: {
    address: () => "/tenant",
    ready: "Recent Calls",
    arrange: async (page) => {
      await page.getByRole("button", { name: "Dismiss" }).click();
      await page.getByRole("heading", { level: 1 }).evaluate((heading) => heading.scrollIntoView({ block: "start" }));
    },
  },
  call: { address: (callId) => `/tenant/calls?call=${callId}`, ready: "verifyPatientIdentity" },
  audit: {
    address: () => "/tenant?tab=audit",
    ready: "Export Logs",
    arrange: (page) =>
      page
        .getByRole("button", { name: /details$/ })
        .nth(5)
        .evaluate((button) => button.scrollIntoView({ block: "center" })),
  },
  connection: {
    address: () => "/tenant?tab=fhir",
    ready: "FHIR Integration",
    arrange: async (page, patientId) => {
      await page
        .getByRole("button", { name: /^Test Sandbox EHR/ })
        .first()
        .click();
      const dialog = page.getByRole("dialog");
      await dialog.getByLabel("Patient ID").fill(patientId);
      await dialog.getByRole("button", { name: "Test Connection" }).click();
      await dialog.getByText(/\d ms/).first().waitFor();
    },
  },
} satisfies Record<PictureName, Screen>;

const dataDir = await mkdtemp(path.join(tmpdir(), "vitaline-pictures-"));
const platform = await startPlatform({ port: 0, dataDir, quiet: true, history: usualHistory });
const browser = await startBrowser();
try {
  await platform.history?.done;
  for (const scenario of calls)
    await promisify(execFile)(process.execPath, [path.join(project, "test/call/cli.ts"), "--scenario", scenario, "--count", "2"], {
      env: { ...process.env, VITALINE_DATA: dataDir },
    });
  await platform.cloud.drained();
  const { admin } = platform.demo!.tenants[0]!;
  const ask = async (address: string, init: RequestInit): Promise<unknown> => (await fetch(platform.origin + address, init)).json();
  const login = { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(admin) };
  const { token } = (await ask("/api/auth/login", login)) as { token: string };
  const listed = (await ask("/api/tenant/calls", { headers: { authorization: `Bearer ${token}` } })) as { id: string }[];
  const patientId = platform.demo!.patients[0]!.id;
  for (const scheme of ["light", "dark"] as const) {
    const context = await browser.newContext({
      baseURL: platform.origin,
      colorScheme: scheme,
      viewport: pictureSize,
      deviceScaleFactor: pixelsPerPoint,
      reducedMotion: "reduce",
      storageState: { cookies: [], origins: [{ origin: platform.origin, localStorage: [{ name: "auth_token", value: token }] }] },
    });
    for (const { name } of pictures) {
      const { address, ready, arrange }: Screen = screens[name];
      const page = await context.newPage();
      await page.goto(address(listed[0]!.id, patientId), { waitUntil: "networkidle" });
      await page.getByText(ready).locator("visible=true").first().waitFor();
      await arrange?.(page, patientId);
      await page.waitForLoadState("networkidle");
      const session = await context.newCDPSession(page);
      const { data } = await session.send("Page.captureScreenshot", { format: "webp", quality });
      const picture = Buffer.from(data, "base64");
      await writeFile(path.join(folder, `${name}-${scheme}.webp`), picture);
      process.stdout.write(`${name}-${scheme}.webp ${(picture.length / 1024).toFixed(1)} KB\n`);
      await page.close();
    }
    await context.close();
  }
} finally {
  await browser.close();
  await platform.close();
  await rm(dataDir, { recursive: true, force: true });
}
