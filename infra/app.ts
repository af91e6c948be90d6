import { readFileSync } from "node:fs";
import path from "node:path";
import { App, Validations } from "aws-cdk-lib";
import { AwsSolutionsChecks, HIPAASecurityChecks, ServerlessChecks } from "cdk-nag";
import { bundleFunctions, bundlesIn, type Bundles } from "./assets/bundle.ts";
import { buildSite, readSite, type Site } from "./assets/site.ts";
import { contextWith, settingsFor, stageOf, type Settings } from "./config/settings.ts";
import { AccountStack } from "./stacks/account.ts";
import { ApiStack } from "./stacks/api.ts";
import { DataStack } from "./stacks/data.ts";
import { EventsStack } from "./stacks/events.ts";
import { MonitoringStack } from "./stacks/monitoring.ts";
import { RoutesStack } from "./stacks/routes.ts";
import { WebStack } from "./stacks/web.ts";

type AppInput = {
  settings: Settings;
  folderOf: Bundles["folderOf"];
  site: Site;
  /** The `context` of cdk.json, which the CDK's own command would pass. */
  context: Record<string, unknown>;
  outdir?: string;
};

/** All stacks of a stage, each after those that it depends on. */
export function vitalineApp({ settings, folderOf, site, context, outdir }: AppInput): App {
  // The local stage is started often and never deployed; a test checks it too.
  const isDeployed = settings.stage !== "local";
  const app = new App({ context, outdir, analyticsReporting: false, builtinCloudFormationValidation: isDeployed });
  const data = new DataStack(app, settings);
  const api = new ApiStack(app, data, folderOf);
  const routes = new RoutesStack(app, { data, api });
  const web = new WebStack(app, { data, routes, site });
  const events = new EventsStack(app, { data, api, web }, folderOf);
  new MonitoringStack(app, { data, routes, events });
  if (settings.accountBaseline) new AccountStack(app, data);
  if (isDeployed) checkRules(app);
  return app;
}

/** Synthesis fails while a rule is broken and no reason is acknowledged. */
function checkRules(app: App): void {
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app), new HIPAASecurityChecks(app), new ServerlessChecks(app));
}

/** The app of cdk.json, started by the CDK's command or directly; in both cases in the project's folder. */
async function synthesize(project: string): Promise<void> {
  const { context } = JSON.parse(readFileSync(path.join(project, "cdk.json"), "utf8")) as { context: Record<string, unknown> };
  const stated = contextWith(context, process.env.CDK_CONTEXT_JSON);
  const settings = settingsFor(stageOf(stated), stated["vitaline:stages"], process.env);
  // `npm start` builds the site of the local stage.
  if (settings.stage !== "local") await buildSite(project, settings.demoSchedulingUrl);
  const site = readSite(project);
  const { VITALINE_ASSEMBLY: bundled } = process.env;
  const { folderOf } = bundled ? bundlesIn(bundled) : await bundleFunctions(project);
  vitalineApp({ settings, folderOf, site, context }).synth();
}

if (import.meta.main) {
  try {
    await synthesize(process.cwd());
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  }
}
