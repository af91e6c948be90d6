import type { IncomingMessage, ServerResponse } from "node:http";
import path from "node:path";
import { dashed, functionNames } from "@vitaline/infra/config/functions.ts";
import { createServer, type ViteDevServer } from "vite";
import { type Platform, type PlatformOptions, startPlatform } from "./platform.ts";
import { bundleLive, watchSources } from "./cli/watch.ts";
import { runCommand } from "./cli/command.ts";

/** `npm run dev`: the platform of `npm start` with pages from Vite and functions that are rebuilt on change. */

const project = path.resolve(import.meta.dirname, "../..");
/** A separate folder, so that a failed build does not break the running code. */
const liveFolder = path.join(project, "build", "dev");
const bundle = (): Promise<void> => bundleLive(project, liveFolder);

let vite: ViteDevServer | undefined;
let isPage: (path: string) => boolean = () => false;

function serveWithVite(request: IncomingMessage, response: ServerResponse): boolean {
  if (!vite || !isPage((request.url ?? "/").split("?")[0] ?? "/")) return false;
  vite.middlewares(request, response);
  return true;
}

async function startWatching(options: PlatformOptions): Promise<Platform> {
  await options.progress?.("Functions", bundle);
  const platform = await startPlatform({
    ...options,
    intercept: serveWithVite,
    prepareFunction(spec) {
      const name = functionNames.map(dashed).find((known) => spec.name.endsWith(`-${known}`));
      return name === undefined ? spec : { ...spec, codeDir: path.join(liveFolder, name) };
    },
  });
  const { cloud } = platform;
  vite = await createServer({
    root: path.join(project, "web"),
    configFile: path.join(project, "web", "vite.config.ts"),
    appType: "spa",
    server: { middlewareMode: true, ws: { server: cloud.http.server } },
  });
  isPage = cloud.isPage;
  const watching = watchSources(project, async () => {
    await bundle();
    await cloud.lambda.recycle();
  });
  return {
    ...platform,
    async close() {
      await watching.stop();
      await vite?.close();
      await platform.close();
    },
  };
}

await runCommand("Starting Vitaline on this machine, following its sources", startWatching);
