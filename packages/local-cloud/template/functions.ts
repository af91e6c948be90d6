import { createHash, randomBytes } from "node:crypto";
import { StartError } from "../lib/run.ts";
import { named, refuse, type Placed, type Resources } from "./resources.ts";

export type FunctionSpec = {
  name: string;
  arn: string;
  account: string;
  region: string;
  where: string;
  codeDir: string;
  module: string;
  exportName: string;
  env: Record<string, string>;
  memoryMb: number;
  timeoutSeconds: number;
  /** 0 disables the function; undefined: no limit. */
  reservedConcurrency?: number;
  roleArn: string;
  versions: string[];
  /** Alias → version → share of the invocations. */
  aliases: Record<string, Record<string, number>>;
  /** The function signs AWS requests with this key, so that its own role applies. */
  accessKeyId: string;
  secretAccessKey: string;
};

const environmentLimitBytes = 4096;

export const readFunctions = (resources: Resources): FunctionSpec[] =>
  resources.ofType("AWS::Lambda::Function").map((fn) => readFunction(resources, fn));

function readFunction(resources: Resources, fn: Placed): FunctionSpec {
  refuse(fn, "Layers", "ImageConfig", "VpcConfig", "FileSystemConfigs");
  const { properties, stack, where } = fn;
  const runtime = String(properties["Runtime"]);
  if (!runtime.startsWith("nodejs")) throw new StartError(`${where}: the runtime ${runtime} does not run here.`);
  const [module = "", exportName = ""] = String(properties["Handler"]).split(".");
  return {
    name: fn.ref,
    arn: fn.attributes["Arn"] ?? "",
    account: stack.account,
    region: stack.region,
    where,
    codeDir: codeDirOf(resources, fn),
    module,
    exportName,
    env: environmentOf(fn),
    memoryMb: Number(properties["MemorySize"] ?? 128),
    timeoutSeconds: Number(properties["Timeout"] ?? 3),
    reservedConcurrency:
      properties["ReservedConcurrentExecutions"] === undefined ? undefined : Number(properties["ReservedConcurrentExecutions"]),
    versions: ofFunction(resources, fn, "AWS::Lambda::Version").map(({ attributes }) => attributes["Version"] ?? ""),
    aliases: Object.fromEntries(
      ofFunction(resources, fn, "AWS::Lambda::Alias").map((alias) => [String(alias.properties["Name"]), sharesOf(alias)]),
    ),
    roleArn: named(resources.ofType("AWS::IAM::Role"), String(properties["Role"]), where).attributes["Arn"] ?? "",
    accessKeyId: `ASIA${createHash("sha256").update(where).digest("hex").slice(0, 16).toUpperCase()}`,
    secretAccessKey: randomBytes(30).toString("base64url"),
  };
}

const ofFunction = (resources: Resources, fn: Placed, type: string): Placed[] =>
  resources.ofType(type).filter(({ properties }) => [fn.ref, fn.attributes["Arn"]].includes(String(properties["FunctionName"])));

type Weights = { AdditionalVersionWeights?: { FunctionVersion: string; FunctionWeight: number }[] };

/** Source: "Implement Lambda canary deployments using a weighted alias" in the Lambda Developer Guide. */
function sharesOf({ properties }: Placed): Record<string, number> {
  const { AdditionalVersionWeights = [] } = (properties["RoutingConfig"] ?? {}) as Weights;
  const others = AdditionalVersionWeights.map(({ FunctionVersion, FunctionWeight }) => [FunctionVersion, FunctionWeight] as const);
  const rest = 1 - others.reduce((sum, [, weight]) => sum + weight, 0);
  return { [String(properties["FunctionVersion"])]: rest, ...Object.fromEntries(others) };
}

/** The ARN of a function, a version or an alias that is stated by name or ARN, and its function's. Throws for an unknown one. */
export function invocable(resources: Resources, stated: string, where: string): { arn: string; fn: Placed } {
  const [, name = "", qualifier] = /^(?:arn:aws:lambda:[^:]*:[^:]*:function:)?([^:]+)(?::([^:]+))?$/.exec(stated) ?? [];
  const fn = named(resources.ofType("AWS::Lambda::Function"), name, where);
  const arn = fn.attributes["Arn"] ?? "";
  if (qualifier === undefined) return { arn, fn };
  const known = [...resources.ofType("AWS::Lambda::Alias"), ...resources.ofType("AWS::Lambda::Version")];
  return { arn: named(known, `${arn}:${qualifier}`, where).ref, fn };
}

function codeDirOf(resources: Resources, { properties, where }: Placed): string {
  const key = String((properties["Code"] as { S3Key?: string } | undefined)?.S3Key);
  const source = resources.assets.get(key);
  if (!source) throw new StartError(`${where}: its code ${key} is not among the assets.`);
  return source;
}

function environmentOf({ properties, where }: Placed): Record<string, string> {
  const variables = ((properties["Environment"] as { Variables?: Record<string, string> } | undefined)?.Variables ?? {}) as Record<
    string,
    string
  >;
  const size = Object.entries(variables).reduce((sum, [name, value]) => sum + Buffer.byteLength(name) + Buffer.byteLength(value), 0);
  if (size > environmentLimitBytes)
    throw new StartError(`${where}: its environment takes ${size} bytes, and Lambda allows ${environmentLimitBytes}.`);
  return variables;
}
