import { readFileSync } from "node:fs";
import path from "node:path";
import { buildSite } from "./build-site.ts";
import { bundleFunctions } from "./bundle.ts";
import { settingsFor } from "./config.ts";
import { readSite } from "./site.ts";
import { contextWith, stageOf } from "./stage.ts";
import { vitalineApp } from "./synthesize.ts";

/**
 * The app of cdk.json: the stage in, its stacks out. Run directly it gives the assembly that the CDK's own command gives,
 * as it reads the context of cdk.json itself; either way the current folder is the project's. The local stage takes the site as it lies there, since `npm start` builds it.
 */
const project = process.cwd();
const { context } = JSON.parse(readFileSync(path.join(project, "cdk.json"), "utf8")) as { context: Record<string, unknown> };
const stated = contextWith(context, process.env.CDK_CONTEXT_JSON);

try {
  const settings = settingsFor(stageOf(stated), stated["vitaline:stages"], process.env);
  if (settings.stage !== "local") await buildSite(project, settings.demoSchedulingUrl);
  const site = readSite(project);
  const { folderOf } = await bundleFunctions(project);
  vitalineApp({ settings, folderOf, site, context }).synth();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
