import path from "node:path";
import { buildWeb, checkTools, sandboxPlaceholder, synthesize } from "./runtime/prepare.ts";

/**
 * `node packages/local-cloud/build.ts` builds the site and the functions ahead, so that several platforms can start at once from one
 * folder.
 */
const project = path.resolve(import.meta.dirname, "../..");
checkTools(project);
await buildWeb(project);
await synthesize(project, { egress: [sandboxPlaceholder] });
