import path from "node:path";
import { runScript } from "./run.ts";

/** Builds `web/dist` from the sources as they are now. */
export const buildSite = (project: string, demoSchedulingUrl: string | undefined): Promise<void> =>
  runScript(path.join(project, "node_modules", "vite", "bin", "vite.js"), ["build", "--logLevel", "warn"], {
    cwd: path.join(project, "web"),
    env: { DEMO_SCHEDULING_URL: demoSchedulingUrl },
  });
