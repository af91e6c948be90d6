import path from "node:path";
import { buildWeb, checkTools, sandboxPlace, synthesize } from "./runtime/prepare.ts";

/** `node packages/local-cloud/build.ts`: what a platform runs, built beforehand, so that several can start at once from the same folder. */
const project = path.resolve(import.meta.dirname, "../..");
checkTools(project);
await buildWeb(project);
await synthesize(project, [sandboxPlace]);
