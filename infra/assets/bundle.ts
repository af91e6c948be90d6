import { existsSync, rmSync } from "node:fs";
import path from "node:path";
import { build, type BuildOptions } from "esbuild";
import { dashed, functionNames, type FunctionName } from "../config/functions.ts";

export type Bundles = {
  /** `build/<function>`, with `index.mjs`. */
  folderOf(name: FunctionName): string;
};

/** CommonJS packages of the AWS SDK call `require`, which ES modules lack. */
const REQUIRE = 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);';

export const bundleOptions = (project: string) =>
  ({
    absWorkingDir: project,
    entryPoints: functionNames.map((name) => ({ in: path.join("functions", name, "handler.ts"), out: path.join(dashed(name), "index") })),
    outdir: "build",
    outExtension: { ".js": ".mjs" },
    bundle: true,
    minify: true,
    format: "esm",
    platform: "node",
    target: "node24",
    mainFields: ["module", "main"],
    alias: { "@aws-sdk/credential-provider-node": path.join(project, "packages/aws/lambda-credentials.ts") },
    banner: { js: REQUIRE },
    legalComments: "none",
    charset: "utf8",
    metafile: true,
    logLevel: "error",
  }) satisfies BuildOptions;

/** Bundles all functions in one esbuild call. Throws when a handler is missing. */
export async function bundleFunctions(project = process.cwd()): Promise<Bundles> {
  const options = bundleOptions(project);
  const missing = options.entryPoints.filter((entry) => !existsSync(path.join(project, entry.in)));
  if (missing.length > 0) throw new Error(`Every function needs its handler; missing: ${missing.map((entry) => entry.in).join(", ")}.`);
  const folderOf = (name: FunctionName) => path.join(project, "build", dashed(name));
  for (const name of functionNames) rmSync(folderOf(name), { recursive: true, force: true });
  await build(options);
  return { folderOf };
}
