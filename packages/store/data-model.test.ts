import { readFileSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import * as apiKeys from "./entities/api-keys.ts";
import * as audit from "./entities/audit.ts";
import * as calendar from "./entities/calendar.ts";
import * as calls from "./entities/calls.ts";
import * as contact from "./entities/contact.ts";
import * as due from "./entities/due.ts";
import { entities, type Key } from "./entities/entity.ts";
import * as erasures from "./entities/erasures.ts";
import * as fhir from "./entities/fhir.ts";
import * as health from "./entities/health.ts";
import * as keptEvents from "./entities/kept-events.ts";
import * as leadsAndTasks from "./entities/leads-and-tasks.ts";
import * as messages from "./entities/messages.ts";
import { tenantPartitions } from "./entities/partitions.ts";
import * as proxies from "./entities/proxies.ts";
import * as tenants from "./entities/tenants.ts";
import * as tools from "./entities/tools.ts";
import * as users from "./entities/users.ts";
import * as voice from "./entities/voice.ts";
import * as webhooks from "./entities/webhooks.ts";

const sections: [title: string, file: string, module: object][] = [
  ["Tenants and offices", "tenants.ts", tenants],
  ["Users and sessions", "users.ts", users],
  ["API keys", "api-keys.ts", apiKeys],
  ["Voice providers and agents", "voice.ts", voice],
  ["EHRs and signing keys", "fhir.ts", fhir],
  ["Calls", "calls.ts", calls],
  ["Tools", "tools.ts", tools],
  ["Leads and tasks", "leads-and-tasks.ts", leadsAndTasks],
  ["People who speak for a patient", "proxies.ts", proxies],
  ["Messages to patients", "messages.ts", messages],
  ["Webhooks", "webhooks.ts", webhooks],
  ["Calendars", "calendar.ts", calendar],
  ["Audit, exports and totals", "audit.ts", audit],
  ["Erasures", "erasures.ts", erasures],
  ["Due work and retention", "due.ts", due],
  ["Kept events", "kept-events.ts", keptEvents],
  ["Health", "health.ts", health],
  ["Contact messages and requests", "contact.ts", contact],
];

type Entity = (typeof entities)[string];
type Address = { pk: string; sk: string };

const lifetimes: Record<Entity["lifetime"], string> = {
  expires: "`expiresAt` (TTL)",
  "may expire": "`expiresAt` (TTL), if set",
  permanent: "until deleted",
};

/** The address with the parameter names of `primaryKey` as placeholders: "TENANT#{tenantId}#CONFIG". */
function addressTemplate(primaryKey: Entity["primaryKey"]): Address {
  const [, parameters = ""] = /^\(([^)]*)\)/.exec(String(primaryKey)) ?? [];
  const names = parameters.split(",").map((name) => `{${name.trim().replace(/^_/, "")}}`);
  const { pk, sk } = (primaryKey as (...ids: string[]) => Address)(...names);
  const readable = (key: string): string => key.replaceAll(/[0-9a-f]{64}/g, "{hash}");
  return { pk: readable(pk), sk: readable(sk) };
}

const code = (text: string): string => `\`${text}\``;

function tableRow(name: string, { scope, isOutsideTenantPartition, writeKind, lifetime, gsi1 = [], primaryKey }: Entity): string {
  const { pk, sk } = addressTemplate(primaryKey);
  const index = gsi1.map((partition) => code((tenantPartitions[partition] as (...ids: string[]) => string)("{tenantId}", "{officeId}")));
  return `| ${[name, isOutsideTenantPartition ? "lookup" : scope, code(pk), code(sk), index.join("<br>"), writeKind, lifetimes[lifetime]].join(" | ")} |`;
}

const entityNames = (module: object): string[] => [
  ...new Set(
    Object.values(module).flatMap((template: unknown) => {
      if (typeof template !== "function" || template === calls.callKeyOf) return [];
      return [(template as (...ids: string[]) => Key<unknown>)("1", "2", "3", "4").entity];
    }),
  ),
];

const dataModel = (): string => `# Data model

One DynamoDB table with one sparse index, gsi1. Generated from \`entities/\`; to update it:
\`UPDATE=1 npx vitest run --project unit packages/store/data-model.test.ts\`

- **Scope**: the key of a *tenant* row gets the tenant id from the store handle. A *lookup* row is a tenant's row outside the tenant's
  partitions; it belongs to the tenant that wrote it first. All other scopes are outside the tenants: a handle of \`scoped.ts\` reaches
  the rows of its scopes, and *platform* rows need the platform handle.
- **Writes**: *audited* rows are written by \`commit\`, in one transaction with an audit row. *bookkeeping* rows may also be written
  without audit, by \`writeUnaudited\`. *projected* rows are derived from the table's stream. *retained* rows are audited; only the retention job
  sets their \`expiresAt\` without audit.
- \`{hash}\` is a digest of free text or of a foreign id.
${sections
  .map(
    ([title, file, module]) => `
## ${title}

Source: \`entities/${file}\`

| Entity | Scope | pk | sk | gsi1pk | Writes | Lifetime |
|---|---|---|---|---|---|---|
${entityNames(module)
  .map((name) => tableRow(name, entities[name] as Entity))
  .join("\n")}
`,
  )
  .join("")}`;

test("data-model.md is up to date with the entities, and lists all of them", () => {
  const file = new URL("data-model.md", import.meta.url);
  if (process.env["UPDATE"]) writeFileSync(file, dataModel());
  expect(readFileSync(file, "utf8"), "run it with UPDATE=1").toBe(dataModel());
  expect(sections.flatMap(([, , module]) => entityNames(module)).toSorted()).toEqual(Object.keys(entities).toSorted());
});
