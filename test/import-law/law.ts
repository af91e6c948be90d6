import { unitBehind, type Place } from "./place.ts";

type Allowed = string[] | "all";
const nodeOnly: string[] = [];
const store = ["core", "contract", "store"];

/**
 * Who may import whom, as an allow-list: one row a unit, its own packages first, then others from the registry.
 * contract ← core ← store, aws, outbound ← nouns ← tools ← functions; web sees the contract alone.
 * What has no row may import nothing.
 */
const allowed: Record<string, { own: Allowed; others: Allowed }> = {
  contract: { own: [], others: ["zod"] },
  core: { own: ["contract"], others: ["zod"] },
  store: { own: ["contract", "core"], others: ["@aws-sdk/client-dynamodb", "@aws-sdk/lib-dynamodb", "zod"] },
  aws: { own: ["core"], others: ["@aws-sdk/client-kms", "@aws-sdk/client-s3", "@aws-sdk/client-secrets-manager", "zod"] },
  outbound: { own: ["core"], others: ["zod"] },

  users: { own: [...store], others: nodeOnly },
  sessions: { own: [...store, "aws", "users"], others: ["aws-jwt-verify", "zod"] },
  "api-keys": { own: [...store, "aws"], others: nodeOnly },
  tenants: { own: [...store, "api-keys"], others: nodeOnly },
  offices: { own: [...store], others: nodeOnly },
  "platform-keys": { own: [...store, "aws"], others: nodeOnly },
  fhir: { own: ["core", "outbound"], others: ["zod", "fhir"] },
  "fhir-providers": { own: [...store, "aws", "fhir", "outbound", "platform-keys"], others: ["zod"] },
  calls: { own: [...store, "aws"], others: ["zod"] },
  tools: { own: [...store, "aws", "fhir", "fhir-providers"], others: ["zod", "fhir"] },
  "voice-providers": { own: [...store, "calls", "tools"], others: ["zod"] },

  functions: {
    own: [
      ...store,
      "aws",
      "users",
      "sessions",
      "api-keys",
      "tenants",
      "offices",
      "platform-keys",
      "fhir-providers",
      "outbound",
      "calls",
      "tools",
      "voice-providers",
    ],
    others: ["zod"],
  },
  web: {
    own: ["contract"],
    others: [
      "@chakra-ui/react",
      "@emotion/cache",
      "@emotion/react",
      "@hookform/resolvers",
      "@vitejs/plugin-react",
      "esbuild",
      "lucide-react",
      "next-themes",
      "react",
      "react-dom",
      "react-error-boundary",
      "react-hook-form",
      "react-router-dom",
      "swr",
      "vite",
      "zod",
    ],
  },
  infra: { own: ["contract"], others: ["aws-cdk-lib", "cdk-nag", "constructs", "esbuild", "zod"] },

  // Beside the product: nothing above imports these.
  "local-cloud": { own: ["infra", "sandbox-ehr"], others: ["dynalite", "esbuild", "vite", "zod"] },
  "sandbox-ehr": { own: [], others: ["fhir", "jose", "zod"] },
  test: { own: "all", others: "all" },
  root: { own: "all", others: "all" },
};

/** Files that may hold the handle that reaches every tenant's rows. */
const unscoped = ["users", "sessions", "api-keys", "tenants", "fhir-providers", "platform-keys", "functions", "store", "test"];
/** Of `calls`, only what counts over all tenants. */
const unscopedFiles = ["packages/calls/platform-metrics.ts"];

/** Every unit that has a row. */
export const units = Object.keys(allowed);

const packageOf = (specifier: string): string =>
  specifier
    .split("/")
    .slice(0, specifier.startsWith("@") ? 2 : 1)
    .join("/");
const has = (list: Allowed, name: string): boolean => list === "all" || list.includes(name);

/** Why this import breaks the law; undefined when it keeps it. */
export function law(place: Place, specifier: string): string | undefined {
  if (specifier.startsWith("node:")) return undefined;
  const row = allowed[place.unit];
  if (!row) return `${place.unit} has no row in test/import-law/law.ts, so it may import nothing.`;
  if (specifier.startsWith(".")) return lawOfNeighbours(place, unitBehind(place, specifier));
  if (place.test) return undefined;
  const name = packageOf(specifier);
  if (!name.startsWith("@vitaline/")) return has(row.others, name) ? undefined : `${place.unit} may not import ${name}.`;
  const unit = name.slice("@vitaline/".length);
  if (specifier.endsWith("/platform.ts") && !has(unscoped, place.unit) && !unscopedFiles.includes(place.file))
    return `${place.unit} may not hold the handle that reaches every tenant.`;
  return has(row.own, unit) ? undefined : `${place.unit} may not import ${unit}.`;
}

/** A relative path stays inside its unit; tests may also use the shared fixtures. */
const lawOfNeighbours = (place: Place, unit: string): string | undefined =>
  unit === place.unit || place.unit === "test" || (place.test && unit === "test")
    ? undefined
    : `A relative import may not leave ${place.unit}: import the package instead.`;
