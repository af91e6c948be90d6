import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { build, type BuildOptions, type Metafile } from "esbuild";
import { importsAtStart, startInOneFile } from "./import-plugins.ts";
import { pureDefinitions } from "./pure-definitions.ts";
import { dashed, functionNames, type FunctionName } from "../config/functions.ts";

export type Bundles = {
  /** `build/<function>`, with `index.mjs`. */
  folderOf(name: FunctionName): string;
};

/** CommonJS packages of the AWS SDK call `require`, which ES modules lack. */
const REQUIRE = 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);';

const options = (project: string) =>
  ({
    absWorkingDir: project,
    bundle: true,
    minify: true,
    format: "esm",
    platform: "node",
    target: "node24",
    mainFields: ["module", "main"],
    alias: {
      "@aws-sdk/credential-provider-node": path.join(project, "packages/aws/lambda-credentials.ts"),
      "@modelcontextprotocol/server/_shims": path.join(project, "packages/mcp/json-schema-validator.ts"),
    },
    // The SDK imports it in browsers only.
    external: ["bowser"],
    banner: { js: REQUIRE },
    legalComments: "none",
    charset: "ascii",
    metafile: true,
    logLevel: "error",
  }) satisfies BuildOptions;

export const fileOptions = (project: string) =>
  ({ ...options(project), plugins: [pureDefinitions, importsAtStart] }) satisfies BuildOptions;

/** A caller waits for their first answer, so what it does not need is in files beside `index.mjs` that `import()` loads. */
export const splitFunctions = ["voice", "mcp", "tools"] as const satisfies readonly FunctionName[];

const isSplit = (name: FunctionName): boolean => splitFunctions.some((split) => split === name);
const handlerOf = (name: FunctionName): string => path.join("functions", name, "handler.ts");

/**
 * Builds all functions for `folder`. A split function has a build of its own, so that its files are all in its folder. Throws esbuild's
 * BuildFailure.
 */
export async function buildFunctions(
  project: string,
  folder: string,
  { logLevel = "error", plugins = [] }: Pick<BuildOptions, "logLevel" | "plugins"> = {},
): Promise<{ outputs: Metafile["outputs"]; write(): void }> {
  const common = { outExtension: { ".js": ".mjs" }, logLevel, write: false } as const;
  const inOneFile = functionNames.filter((name) => !isSplit(name));
  const built = await Promise.all([
    build({
      ...fileOptions(project),
      ...common,
      plugins: [...plugins, pureDefinitions, importsAtStart],
      entryPoints: inOneFile.map((name) => ({ in: handlerOf(name), out: path.join(dashed(name), "index") })),
      outdir: folder,
    }),
    ...splitFunctions.map((name) =>
      build({
        ...options(project),
        ...common,
        entryPoints: [{ in: handlerOf(name), out: "index" }],
        outdir: path.join(folder, dashed(name)),
        splitting: true,
        plugins: [...plugins, pureDefinitions, startInOneFile(path.resolve(project, handlerOf(name)))],
      }),
    ),
  ]);
  return {
    outputs: Object.fromEntries(built.flatMap(({ metafile }) => Object.entries(metafile.outputs))),
    write() {
      for (const { path: file, contents } of built.flatMap(({ outputFiles }) => outputFiles)) {
        mkdirSync(path.dirname(file), { recursive: true });
        writeFileSync(file, contents);
      }
    },
  };
}

/** Bundles all functions. Throws when a handler is missing. */
export async function bundleFunctions(project = process.cwd()): Promise<Bundles> {
  const missing = functionNames.map(handlerOf).filter((handler) => !existsSync(path.join(project, handler)));
  if (missing.length > 0) throw new Error(`Every function needs its handler; missing: ${missing.join(", ")}.`);
  const folderOf = (name: FunctionName) => path.join(project, "build", dashed(name));
  const { write } = await buildFunctions(project, "build");
  for (const name of functionNames) rmSync(folderOf(name), { recursive: true, force: true });
  write();
  return { folderOf };
}

type Template = { Resources?: Record<string, { Type: string; Properties?: { FunctionName?: string; Code?: { S3Key?: string } } }> };

/** Those of an assembly of the local stage that was made from the same sources. */
export function bundlesIn(assembly: string): Bundles {
  const folders = new Map<string | undefined, string>();
  for (const file of readdirSync(assembly).filter((name) => name.endsWith(".template.json"))) {
    const { Resources = {} } = JSON.parse(readFileSync(path.join(assembly, file), "utf8")) as Template;
    for (const { Type, Properties } of Object.values(Resources))
      if (Type === "AWS::Lambda::Function")
        folders.set(Properties?.FunctionName, path.join(assembly, `asset.${Properties?.Code?.S3Key?.replace(/\.zip$/, "")}`));
  }
  return {
    folderOf(name) {
      const folder = folders.get(`vitaline-local-${dashed(name)}`);
      if (folder === undefined) throw new Error(`${assembly} has no function ${name}.`);
      return folder;
    },
  };
}
