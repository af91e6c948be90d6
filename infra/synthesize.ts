import { App } from "aws-cdk-lib";
import type { Bundles } from "./bundle.ts";
import type { Settings } from "./config.ts";
import type { Site } from "./site.ts";
import { Api } from "./stacks/api.ts";
import { Data } from "./stacks/data.ts";
import { Events } from "./stacks/events.ts";
import { Watch } from "./stacks/watch.ts";
import { Web } from "./stacks/web.ts";

export type AppInput = {
  settings: Settings;
  folderOf: Bundles["folderOf"];
  site: Site;
  /** The `context` of cdk.json, which the CDK's own command would pass. */
  context: Record<string, unknown>;
  outdir?: string;
};

/** The whole app of a stage. Dependencies go data ← api ← events ← watch and data, api ← web, never back. */
export function vitalineApp({ settings, folderOf, site, context, outdir }: AppInput): App {
  const app = new App({ context, outdir, analyticsReporting: false });
  const data = new Data(app, settings);
  const api = new Api(app, data, folderOf);
  new Web(app, { data, api, site });
  const events = new Events(app, data, api, folderOf);
  new Watch(app, { data, api, events });
  return app;
}
