import path from "node:path";

/** Below a list the folders (or files) of one rank: they may not import each other. "*" is every other folder. */
type Layer = string | readonly string[];

/**
 * The order inside each unit, lowest first: a folder imports itself and the layers below it, types included. Units may stand in units.
 * Files beside the folders are above them all, unless they have a place of their own in the list or "." is there for them all.
 */
const layers: Record<string, readonly Layer[]> = {
  "packages/audit": ["log", "feed", "archive", "search", "report", "export", "access"],
  "packages/aws": ["unavailable.ts", "messaging", "secrets", "s3"],
  "packages/calls": ["office.ts", "events", "metrics", "log"],
  "packages/contract": ["language.ts", "tool-catalog.ts", "http", "calls", "tenants", "users", "voice", "operations", "fhir"],
  "packages/fhir": ["http", "auth", "versions", "client", "connection-test"],
  "packages/fhir-providers": ["provider", "oauth", "ehr", "health", "registry"],
  "packages/local-cloud": [
    "lib",
    "aws",
    "template",
    "stacks",
    "lambda",
    "events",
    "gateway",
    "cloudfront",
    "monitoring",
    "cloud.ts",
    "runtime",
    "demo",
    "platform.ts",
    "cli",
  ],
  "packages/sandbox-ehr": ["http", "store", "versions", "search", "auth", "faults", "seed", "personalities", "fhir", "operations"],
  "packages/store": ["entities", "verbs"],
  "packages/tools": [
    "sdk",
    "nlu",
    "speech",
    "emergency",
    "patient",
    "proxy",
    "scheduling",
    "messaging",
    "routing",
    ["*"],
    "tools.ts",
    "engine",
  ],
  "packages/tools/emergency": ["signs"],
  "packages/tools/engine": ["run", "idempotency"],
  "packages/tools/nlu": [".", "when", "who"],
  "packages/tools/nlu/when": ["parse-state", "spanish", "rules", "clauses"],
  "packages/voice-providers": [
    "transport",
    "decoding",
    "voice-platform.ts",
    "being-put-through.ts",
    ["elevenlabs", "vapi", "openai", "retellai"],
    "platforms.ts",
    "providers",
    "snippets",
  ],
  "packages/webhooks": ["subscriptions", "deliveries", "calendar"],
  functions: ["lib", ["*"]],
  infra: ["config", "preflight", "assets", "resources", "needs", "grants", "constructs", "stacks"],
  "web/src": ["theme", "lib", "components", "features", "app"],
};

type Rank = { at: number; isShared: boolean; name: string };

const rankIn = (unit: string, file: string): Rank | undefined => {
  const [name = ""] = file.slice(unit.length + 1).split("/");
  const order = layers[unit] ?? [];
  const named = order.findIndex((layer) => layer === name || (typeof layer !== "string" && layer.includes(name)));
  const beside = order.includes(".") ? order.indexOf(".") : order.length;
  const isFile = file === `${unit}/${name}`;
  const at = named >= 0 ? named : isFile ? beside : order.findIndex((layer) => typeof layer !== "string" && layer.includes("*"));
  return at < 0 ? undefined : { at, isShared: typeof order[at] === "string" || at === order.length, name };
};

function lawOfUnit(unit: string, file: string, target: string): string | undefined {
  const from = rankIn(unit, file);
  const to = rankIn(unit, target);
  if (!from || !to) return `${(from ? target : file).slice(unit.length + 1)} has no layer in test/lint/layers.ts.`;
  if (to.at > from.at) return `${from.name} is a layer below ${to.name}, so it may not import it.`;
  if (to.at === from.at && to.name !== from.name && !from.isShared)
    return `${from.name} may not import ${to.name}, which stands beside it.`;
  return undefined;
}

/** Why a relative import breaks the order of its units; undefined when it keeps it. */
export function layerLaw(file: string, specifier: string): string | undefined {
  const target = path.posix.join(path.posix.dirname(file), specifier);
  for (const unit of Object.keys(layers)) {
    if (!file.startsWith(`${unit}/`) || !target.startsWith(`${unit}/`)) continue;
    const broken = lawOfUnit(unit, file, target);
    if (broken !== undefined) return broken;
  }
  return undefined;
}
