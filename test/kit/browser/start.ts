import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { chromium, type Browser, type LaunchOptions } from "playwright-core";
import { existsSync } from "node:fs";

const buildFolder = path.resolve(import.meta.dirname, "../../../build");
const packageEntry = import.meta.resolve("@sparticuz/chromium");

/** The package unpacks into the temporary folder; with Lambda's variables set it also unpacks NSS, NSPR and expat. */
const unpackScript = "const { default: chromium } = await import(process.argv[1]); await chromium.executablePath();";
const lambdaEnvironment = { AWS_EXECUTION_ENV: "AWS_Lambda_nodejs24.x" };

/** The package brings its own fonts, but its configuration expects them elsewhere. */
const fontConfiguration = (folder: string): string =>
  `<?xml version="1.0"?>\n<!DOCTYPE fontconfig SYSTEM "fonts.dtd">\n<fontconfig><dir>${folder}</dir><cachedir>${folder}/cache</cachedir></fontconfig>\n`;

async function versionOfPackage(): Promise<string> {
  const manifest = path.resolve(path.dirname(fileURLToPath(packageEntry)), "../../package.json");
  return (JSON.parse(await readFile(manifest, "utf8")) as { version: string }).version;
}

/** Unpacks beside the target and renames it, so that an interrupted run leaves no partial folder. */
async function unpackInto(folder: string): Promise<void> {
  await mkdir(buildFolder, { recursive: true });
  const aside = await mkdtemp(path.join(buildFolder, "unpacking-"));
  try {
    await promisify(execFile)(process.execPath, ["--input-type=module", "--eval", unpackScript, packageEntry], {
      env: { ...process.env, ...lambdaEnvironment, TMPDIR: aside },
    });
    await writeFile(path.join(aside, "fonts", "fonts.conf"), fontConfiguration(path.join(folder, "fonts")));
    await rename(aside, folder).catch((error: unknown) => {
      if (!existsSync(folder)) throw error;
    });
  } finally {
    await rm(aside, { recursive: true, force: true });
  }
}

/** On a page that lives a few seconds, optimized code costs more time than it saves. "real": as a user's browser. */
type Pages = "short" | "real";

/** @sparticuz/chromium needs only glibc; Linux on x64 only. */
async function chromiumFromNpm(pages: Pages): Promise<LaunchOptions> {
  if (process.platform !== "linux" || process.arch !== "x64")
    throw new Error(`it is for Linux on x64, and this is ${process.platform} on ${process.arch}`);
  const folder = path.join(buildFolder, `chromium-${await versionOfPackage()}`);
  if (!existsSync(folder)) await unpackInto(folder);
  const libraries = [path.join(folder, "al2023", "lib"), process.env["LD_LIBRARY_PATH"]].filter(Boolean).join(":");
  return {
    executablePath: path.join(folder, "chromium"),
    args: ["--disable-gpu", ...(pages === "short" ? ["--js-flags=--no-opt,--no-maglev"] : [])],
    env: { ...process.env, LD_LIBRARY_PATH: libraries, FONTCONFIG_PATH: path.join(folder, "fonts") },
  };
}

const chromiumPlaces = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/snap/bin/chromium",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
];

type Candidate = { name: string; options: () => LaunchOptions | Promise<LaunchOptions> };

/** The npm package first: the same version and fonts on every machine, and faster than a full Chrome. */
function candidates(pages: Pages): Candidate[] {
  const chosen = process.env["CHROME_PATH"];
  if (chosen) return [{ name: chosen, options: () => ({ executablePath: chosen }) }];
  return [
    { name: "the Chromium that npm ci brought", options: () => chromiumFromNpm(pages) },
    { name: "Chrome", options: () => ({ channel: "chrome" }) },
    ...chromiumPlaces
      .filter((place) => existsSync(place))
      .map((executablePath) => ({ name: executablePath, options: () => ({ executablePath }) })),
    { name: "Edge", options: () => ({ channel: "msedge" }) },
  ];
}

const firstLine = (error: unknown): string => String(error instanceof Error ? error.message : error).split("\n", 1)[0] ?? "";

/** Throws with installation instructions when no browser runs. */
export async function startBrowser(pages: Pages = "short"): Promise<Browser> {
  const refusals: string[] = [];
  for (const { name, options } of candidates(pages)) {
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
