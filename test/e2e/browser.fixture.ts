import { existsSync } from "node:fs";
import { chromium, type Browser, type LaunchOptions } from "playwright-core";
import { chromiumFromNpm } from "./npm-chromium.fixture.ts";

/** Where systems keep a Chromium; playwright itself knows the places of Chrome and Edge. */
const chromiumPlaces = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/snap/bin/chromium",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
];

type Candidate = { name: string; options: () => LaunchOptions | Promise<LaunchOptions> };

/** npm's own first: the same version and fonts on every machine, and half the work of a whole Chrome. */
function candidates(): Candidate[] {
  const chosen = process.env["CHROME_PATH"];
  if (chosen) return [{ name: chosen, options: () => ({ executablePath: chosen }) }];
  return [
    { name: "the Chromium that npm ci brought", options: chromiumFromNpm },
    { name: "Chrome", options: () => ({ channel: "chrome" }) },
    ...chromiumPlaces
      .filter((place) => existsSync(place))
      .map((executablePath) => ({ name: executablePath, options: () => ({ executablePath }) })),
    { name: "Edge", options: () => ({ channel: "msedge" }) },
  ];
}

const firstLine = (error: unknown): string => String(error instanceof Error ? error.message : error).split("\n", 1)[0] ?? "";

/** Starts the first browser that runs here: the one from npm, else an installed one. Without any, the error says what to install. */
export async function startBrowser(): Promise<Browser> {
  const refusals: string[] = [];
  for (const { name, options } of candidates()) {
    try {
      return await chromium.launch(await options());
    } catch (error) {
      refusals.push(`${name}: ${firstLine(error)}`);
    }
  }
  throw new Error(
    `No browser runs on this machine, and the browser tests need one: install Chrome or Chromium, or name one in CHROME_PATH. (${refusals.join("; ")})`,
  );
}
