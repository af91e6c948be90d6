import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import type { PlatformOptions } from "../../packages/local-cloud/platform.ts";

type FunctionSpec = Parameters<NonNullable<PlatformOptions["prepareFunction"]>>[0];

/** A function whose passwords are hashed quickly; both releases of a test must hash alike. */
export function withFastHashes<S extends Pick<FunctionSpec, "name" | "codeDir" | "module">>(spec: S, dataDir: string): S {
  const files = readdirSync(spec.codeDir).map((file) => readFileSync(path.join(spec.codeDir, file), "utf8"));
  if (!files.some((text) => text.includes("argon2id"))) return spec;
  const bundle = path.join(spec.codeDir, `${spec.module}.mjs`);
  const codeDir = path.join(dataDir, "fast-password-hashes", spec.name);
  mkdirSync(codeDir, { recursive: true });
  const first = pathToFileURL(path.join(import.meta.dirname, "run/fast-password-hashes.ts"));
  writeFileSync(
    path.join(codeDir, `${spec.module}.mjs`),
    `import ${JSON.stringify(first.href)};\nexport * from ${JSON.stringify(pathToFileURL(bundle).href)};\n`,
  );
  return { ...spec, codeDir };
}
