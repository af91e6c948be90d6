import { layerLaw } from "./layers.ts";
import { unitBehind, type Place } from "./place.ts";

type Allowed = string[] | "all";
const nodeOnly: string[] = [];
const store = ["core", "contract", "store"];

/**
 * Who may import whom, as an allow-list: one row a unit, its own packages first, then others from the registry.
 * contract ← core ← tenant-access ← store, aws, outbound ← nouns ← tools ← functions; web sees the contract alone.
 * A unit without a row may import nothing.
 */
const allowed: Record<string, { own: Allowed; others: Allowed }> = {
  contract: { own: [], others: ["zod"] },
  core: { own: ["contract"], others: ["zod"] },
  "tenant-access": { own: ["core"], others: ["@smithy/core", "@smithy/signature-v4", "zod"] },
  store: { own: ["contract", "core", "tenant-access"], others: ["@aws-sdk/client-dynamodb", "@aws-sdk/lib-dynamodb", "zod"] },
  aws: {
    own: ["core", "tenant-access"],
    others: [
      "@aws-sdk/client-cloudformation",
      "@aws-sdk/client-kms",
      "@aws-sdk/client-lambda",
      "@aws-sdk/client-pinpoint-sms-voice-v2",
      "@aws-sdk/client-s3",
      "@aws-sdk/client-secrets-manager",
      "@aws-sdk/client-sesv2",
      "@aws-sdk/credential-provider-env",
      "@aws-sdk/lib-storage",
      "@aws-sdk/s3-request-presigner",
      "zod",
    ],
  },
  outbound: { own: ["core"], others: ["zod"] },

  users: { own: [...store, "aws", "tenants"], others: ["otpauth"] },
  sessions: { own: [...store, "aws", "users"], others: ["aws-jwt-verify", "zod"] },
  "api-keys": { own: [...store, "aws"], others: nodeOnly },
  tenants: { own: [...store, "api-keys"], others: nodeOnly },
  offices: { own: [...store, "tenants"], others: ["libphonenumber-js"] },
  "platform-keys": { own: [...store, "aws"], others: nodeOnly },
  fhir: { own: ["core", "outbound"], others: ["zod", "fhir", "rfc6902"] },
  "fhir-providers": { own: [...store, "aws", "fhir", "outbound", "platform-keys", "sessions", "tenants"], others: ["zod"] },
  calls: { own: [...store, "aws"], others: ["csv-stringify", "zod"] },
  messages: { own: [...store, "aws", "tenants", "offices"], others: ["ical-generator", "libphonenumber-js", "zod"] },
  tools: {
    own: [...store, "aws", "fhir", "fhir-providers", "leads", "messages", "offices", "proxies", "tasks", "tenants"],
    others: ["zod", "fhir"],
  },
  mcp: { own: [...store, "tools"], others: ["@modelcontextprotocol/server", "zod"] },
  "voice-providers": { own: [...store, "aws", "calls", "messages", "offices", "outbound", "tenants", "tools"], others: ["zod"] },
  "voice-agents": { own: [...store, "offices", "outbound", "tenants"], others: nodeOnly },
  webhooks: { own: [...store, "aws", "calls", "leads", "outbound"], others: ["ical-generator", "standardwebhooks", "zod"] },
  tasks: { own: [...store, "aws", "calls", "leads"], others: ["zod"] },
  leads: { own: [...store, "aws"], others: ["csv-stringify", "zod"] },
  proxies: { own: [...store, "aws"], others: ["zod"] },
  audit: { own: [...store, "aws", "calls"], others: ["csv-stringify", "zod"] },
  compliance: { own: [...store, "audit", "fhir-providers"], others: nodeOnly },
  erasures: { own: [...store, "audit", "aws", "calls", "proxies"], others: ["zod"] },
  "system-health": { own: [...store, "aws", "calls", "fhir-providers", "voice-providers"], others: nodeOnly },
  contact: { own: [...store, "aws"], others: ["zod"] },

  functions: {
    own: [
      ...store,
      "tenant-access",
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
      "voice-agents",
      "leads",
      "proxies",
      "tasks",
      "audit",
      "compliance",
      "erasures",
      "system-health",
      "contact",
      "messages",
      "mcp",
      "webhooks",
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
      "recharts",
      "swr",
      "vite",
      "zod",
    ],
  },
  // Of the store only the partition patterns, of core only the names of metrics: these modules import nothing.
  infra: {
    own: ["contract", "core/metrics.ts", "store/partitions.ts"],
    others: [
      "@aws-sdk/client-acm",
      "@aws-sdk/client-lambda",
      "@aws-sdk/client-pinpoint-sms-voice-v2",
      "@aws-sdk/client-route-53",
      "@aws-sdk/client-sesv2",
      "@aws-sdk/client-sns",
      "@aws-sdk/client-sts",
      "aws-cdk-lib",
      "cdk-nag",
      "constructs",
      "esbuild",
      "zod",
    ],
  },

  // Beside the product: nothing above imports these.
  "local-cloud": { own: ["infra", "sandbox-ehr", "sandbox-voice"], others: ["dynalite", "esbuild", "vite", "zod"] },
  "sandbox-ehr": { own: [], others: ["fhir", "jose", "zod"] },
  "sandbox-voice": { own: [], others: ["zod"] },
  test: { own: "all", others: "all" },
  root: { own: "all", others: "all" },
};

/** Files that may hold the handle that reaches every tenant's rows, and why; tests may too. All others take one of `store/scoped.ts`. */
export const unscoped: Record<string, string> = {
  "functions/lib/context/platform-context.ts": "makes the handles",

  "functions/events/project/project.ts": "the stream has the changes of all tenants",
  "functions/events/project/apply-effects.ts": "records of any tenant, or of none",
  "functions/events/project/kept-records.ts": "records of any tenant, or of none",
  "functions/events/project/record-effects.ts": "records of any tenant, or of none",
  "functions/events/project/projections/audit-feed.ts": "the feed of all tenants",
  "functions/events/project/projections/call-numbers.ts": "projected rows of the tenant that the change names",
  "functions/events/project/projections/live-calls.ts": "projected rows of the tenant that the change names",
  "functions/events/project/projections/messages.ts": "projected rows of the tenant that the change names",
  "functions/events/project/projections/reminders.ts": "one queue for all tenants",
  "functions/events/project/projections/to-do.ts": "projected rows of the tenants that the change concerns",
  "functions/events/project/projections/tool-runs.ts": "projected rows of the tenant that the change names",
  "functions/events/project/stats/increment-exactly-once.ts": "totals of tenants and of the platform",
  "functions/events/deliver/handler.ts": "lists the tenants with webhooks",
  "functions/events/retry/handler.ts": "one queue of due work for all tenants",
  "functions/events/receipts/handler.ts": "corrects the projected message that a receipt names",
  "functions/events/remind/handler.ts": "one queue for all tenants",
  "functions/events/retain/handler.ts": "starts retention in every tenant",
  "functions/events/verify/handler.ts": "hands out and verifies the chains of all tenants",
  "functions/events/retain/targets.ts": "changes expiry without audit",
  "packages/webhooks/calendar/entries.ts": "part of the projection",
  "packages/webhooks/deliveries/enqueue.ts": "part of the projection",

  "packages/audit/archive/archive-rows.ts": "archives the audit of all tenants",
  "packages/audit/archive/chain.ts": "the chain of any tenant, or of the platform",
  "packages/audit/archive/rearchive.ts": "archives what the stream lost, of any tenant",
  "packages/audit/archive/restore-rows.ts": "puts back the audit of all tenants into a restored table",
  "packages/audit/archive/verify-recent.ts": "compares the partitions of any tenant with the archive",
  "packages/audit/archive/verify-chain.ts": "compares whole partitions with the archive",
  "packages/audit/archive/verify-feed.ts": "compares the feed with the audit of all tenants",
  "packages/audit/access/entry.ts": "names the calls of any tenant, and its users",
  "packages/audit/access/run.ts": "reads the logs of all tenants for a report of the platform",
  "packages/audit/access/scan.ts": "reads the log and the archive of any tenant, or of the platform",
  "packages/audit/access/scope.ts": "reports of the platform's administrators",
  "packages/audit/access/state.ts": "names the users of any tenant",
  "packages/audit/export/export-scope.ts": "exports the audit of all tenants",
  "packages/audit/feed/dashboard.ts": "totals over all tenants",
  "packages/audit/feed/feed.ts": "the feed of all tenants",
  "packages/audit/search/list.ts": "searches the audit of any tenant, or the feed",
  "packages/calls/metrics/platform-metrics.ts": "counts over all tenants",
  "packages/calls/platform-kept-events.ts": "lists over all tenants",
  "packages/compliance/metrics.ts": "counts over all tenants",

  "packages/erasures/audit-entry.ts": "audits in the platform's log",
  "packages/erasures/batches.ts": "finds rows in every partition",
  "packages/erasures/copy.ts": "copies whole partitions",
  "packages/erasures/read.ts": "erasures of all tenants",
  "packages/erasures/replay.ts": "repeats the erasures of all tenants",
  "packages/erasures/request.ts": "erasures of all tenants",
  "packages/erasures/run.ts": "deletes rows of any kind",
  "packages/erasures/subject.ts": "finds rows of any kind",
  "packages/erasures/tenant-batches.ts": "deletes a tenant as a whole",
  "packages/erasures/verify-certificates.ts": "erasures of all tenants",
};

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
  if (!row) return `${place.unit} has no row in test/lint/import-law.ts, so it may import nothing.`;
  if (specifier.startsWith("."))
    return lawOfNeighbours(place, unitBehind(place, specifier)) ?? (place.test ? undefined : layerLaw(place.file, specifier));
  if (place.test) return undefined;
  const name = packageOf(specifier);
  if (!name.startsWith("@vitaline/")) return has(row.others, name) ? undefined : `${place.unit} may not import ${name}.`;
  const unit = name.slice("@vitaline/".length);
  if (specifier === "@vitaline/store/platform.ts" && place.unit !== "test" && !(place.file in unscoped))
    return `${place.unit} may not hold the handle that reaches every tenant.`;
  return has(row.own, unit) || has(row.own, specifier.slice("@vitaline/".length)) ? undefined : `${place.unit} may not import ${unit}.`;
}

/** A relative path stays inside its unit; tests may also use the shared fixtures. */
const lawOfNeighbours = (place: Place, unit: string): string | undefined =>
  unit === place.unit || place.unit === "test" || (place.test && unit === "test")
    ? undefined
    : `A relative import may not leave ${place.unit}: import the package instead.`;
