import { readFile } from "node:fs/promises";
import path from "node:path";
import { StartError } from "../lib/run.ts";

export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };
export type Properties = { [key: string]: Json };

export type Resource = { Type: string; Properties?: Properties; Condition?: string };
export type Template = {
  Resources?: Record<string, Resource>;
  Outputs?: Record<string, { Value: Json; Export?: { Name: Json } }>;
  Parameters?: Record<string, { Type: string; Default?: Json }>;
  Conditions?: Record<string, Json>;
  Mappings?: Record<string, Record<string, Record<string, Json>>>;
};

export type Stack = { name: string; region: string; account: string; template: Template };

export type Assembly = { stacks: Stack[]; assets: Map<string, string> };

type Artifact = {
  type: string;
  environment?: string;
  displayName?: string;
  properties?: { templateFile?: string; stackName?: string; file?: string; directoryName?: string };
};
type AssetManifest = { files?: Record<string, { source: { path?: string }; destinations: Record<string, { objectKey: string }> }> };

const readJson = async <T>(file: string): Promise<T> => {
  try {
    return JSON.parse(await readFile(file, "utf8")) as T;
  } catch (cause) {
    throw new StartError(`Cannot read ${file}: synthesize the CDK app again.`, { cause });
  }
};

/** Reads a cloud assembly folder (cdk.out) with its nested stages. */
export async function readAssembly(folder: string): Promise<Assembly> {
  const { artifacts = {} } = await readJson<{ artifacts?: Record<string, Artifact> }>(path.join(folder, "manifest.json"));
  const assembly: Assembly = { stacks: [], assets: new Map() };
  for (const [id, artifact] of Object.entries(artifacts)) {
    const { templateFile, stackName, file, directoryName } = artifact.properties ?? {};
    if (artifact.type === "aws:cloudformation:stack" && templateFile) {
      assembly.stacks.push({
        name: stackName ?? id,
        ...environmentOf(artifact, id),
        template: await readJson<Template>(path.join(folder, templateFile)),
      });
    } else if (artifact.type === "cdk:asset-manifest" && file) {
      addAssets(assembly.assets, folder, await readJson<AssetManifest>(path.join(folder, file)));
    } else if (artifact.type === "cdk:cloud-assembly" && directoryName) {
      const nested = await readAssembly(path.join(folder, directoryName));
      assembly.stacks.push(...nested.stacks);
      for (const [key, source] of nested.assets) assembly.assets.set(key, source);
    }
  }
  return assembly;
}

function environmentOf(artifact: Artifact, id: string): { account: string; region: string } {
  const [, account, region] = /^aws:\/\/([^/]+)\/(.+)$/.exec(artifact.environment ?? "") ?? [];
  if (!account || !region || account.startsWith("unknown") || region.startsWith("unknown")) {
    throw new StartError(`Stack ${id} has no account and region: the local stage must name both.`);
  }
  return { account, region };
}

function addAssets(assets: Map<string, string>, folder: string, manifest: AssetManifest): void {
  for (const { source, destinations } of Object.values(manifest.files ?? {})) {
    for (const { objectKey } of Object.values(destinations)) if (source.path) assets.set(objectKey, path.join(folder, source.path));
  }
}
