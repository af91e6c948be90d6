import { keys } from "@vitaline/store";
import type { PrimaryKey, Key } from "@vitaline/store/keys.ts";
import { auditsIn, type Audited, type Row } from "./table.ts";

type Claim = { entity: string; at: PrimaryKey };
type Act = Audited & { resourceId: string };

const claim = (tenantId: string, key: Key<unknown>): Claim => ({
  entity: key.entity,
  at: key.scope === "tenant" ? key.primaryKeyIn(tenantId) : key.primaryKey,
});
const nameOf = ({ pk, sk }: PrimaryKey): string => `${pk}|${sk}`;
const tenantOf = (pk: string): string => pk.split("#")[1] ?? "";

/** Rows that are written only in transactions, so that an audit event must exist for each. */
const written: [entity: string, isOne: (row: Row) => boolean][] = [
  ["user", ({ sk }) => sk === "USER"],
  ["email", ({ sk }) => sk === "EMAIL"],
  ["user's entry in the directory", ({ pk, sk }) => pk === "PLATFORM#USERS" && !sk.startsWith("~")],
  ["user's entry at the tenant", ({ pk }) => /^TENANT#[^#]+#USERS$/.test(pk)],
  ["tenant", ({ pk, sk }) => pk.endsWith("#CONFIG") && sk === "TENANT"],
  ["entry in the directory of tenants", ({ pk }) => pk === "PLATFORM#TENANTS"],
  ["office", ({ pk, sk }) => pk.endsWith("#CONFIG") && sk.startsWith("OFFICE")],
  ["reference", ({ sk }) => sk === "REF"],
  ["API key", ({ pk, sk }) => pk.endsWith("#CONFIG") && sk.startsWith("APIKEY#")],
  ["voice provider", ({ pk, sk }) => pk.endsWith("#CONFIG") && sk.startsWith("VOICE#")],
  ["hook", ({ sk }) => sk === "HOOK"],
  ["assigned agent", ({ pk, sk }) => pk.endsWith("#CONFIG") && /^(AGENT|EXT)#/.test(sk)],
  ["entry in the directory of voice platforms", ({ pk }) => pk === "PLATFORM#VOICE"],
  ["sealed secret", ({ pk }) => pk.endsWith("#VAULT")],
  ["lookup of an API key", ({ sk }) => sk === "KEY"],
  ["FHIR provider", ({ pk, sk }) => pk === "PLATFORM#FHIR" && !sk.includes("#")],
  ["signing key", ({ pk, sk }) => pk === "PLATFORM#KEYS" && !sk.startsWith("~")],
];

/** Partial transactions as sentences: every audit event must have all rows of its transaction, and every such row its event. */
export function partialTransactions(rows: Row[]): string[] {
  const at = new Map(rows.map((row) => [nameOf(row), row]));
  const audits = auditsIn(rows).filter(({ success }) => success);
  const acts = (action: string) => audits.filter((audit): audit is Row & Act => audit.action === action);
  const find = (tenantId: string, key: Key<unknown>): Row | undefined => at.get(nameOf(claim(tenantId, key).at));
  const keyRows = rows.filter(({ pk, sk }) => pk.endsWith("#CONFIG") && sk.startsWith("APIKEY#"));
  const rotated = new Set(acts("apiKey.rotate").map(({ resourceId }) => resourceId));

  const rowsOfKey = (tenantId: string, keyId: string): Claim[] => {
    const lookup = String(find(tenantId, keys.apiKey(keyId))?.["lookupHash"]);
    // The text of a replaced key cannot be read
    const isCurrent = find(tenantId, keys.tenantConfig())?.["apiKeyId"] === keyId;
    const sealed = isCurrent ? [keys.sealedApiKey(keyId)] : [];
    return [keys.apiKey(keyId), ...sealed, keys.keyLookup(lookup)].map((key) => claim(tenantId, key));
  };
  const claims: Claim[] = [
    ...acts("user.create").flatMap(({ resourceId: id, tenantId = "" }) => [
      claim("", keys.user(id)),
      claim("", keys.email(String(find("", keys.user(id))?.["email"]))),
      claim("", keys.userDirectory(id)),
      ...(tenantId ? [claim(tenantId, keys.tenantUser(id))] : []),
    ]),
    ...acts("tenant.create").flatMap(({ resourceId: id }) => [
      claim(id, keys.tenantConfig()),
      claim(id, keys.tenantDirectory()),
      ...keyRows
        .filter(({ pk, sk }) => tenantOf(pk) === id && !rotated.has(sk.split("#")[1] ?? ""))
        .flatMap(({ sk }) => rowsOfKey(id, sk.split("#")[1] ?? "")),
    ]),
    ...acts("apiKey.rotate").flatMap(({ resourceId: id, tenantId = "" }) => rowsOfKey(tenantId, id)),
    ...acts("office.create").flatMap(({ resourceId: id, tenantId = "" }) => [
      claim(tenantId, keys.office(id)),
      claim(tenantId, keys.officeName(String(find(tenantId, keys.office(id))?.["name"]))),
      claim(tenantId, keys.officeDirectory(id)),
      claim(tenantId, keys.ref(id)),
    ]),
    ...acts("voiceProvider.create").flatMap(({ resourceId: id, tenantId = "" }) =>
      [keys.voiceProvider, keys.voiceProviderDirectory, keys.ref, keys.sealedVoiceKey, keys.hook].map((key) => claim(tenantId, key(id))),
    ),
    ...acts("voiceAgent.create").flatMap(({ resourceId: id, tenantId = "", detail }) => {
      const agent = keys.voiceAgent(String(detail?.["officeId"] ?? "-"), id);
      const row = find(tenantId, agent);
      const assignment = keys.agentAssignment(String(row?.["providerType"]), String(row?.["externalAgentId"]));
      return [agent, keys.voiceAgentDirectory(id), assignment].map((key) => claim(tenantId, key));
    }),
    ...acts("fhirProvider.create").map(({ resourceId: id }) => claim("", keys.fhirProvider(id))),
    ...acts("platformKey.generate").map(({ resourceId: id }) => claim("", keys.platformKey(id))),
  ];
  const claimed = new Set(claims.map(({ at: place }) => nameOf(place)));

  return [
    ...claims.filter(({ at: place }) => !at.has(nameOf(place))).map(({ entity, at: place }) => `missing ${entity} ${nameOf(place)}`),
    ...written.flatMap(([entity, isOne]) =>
      rows.filter((row) => isOne(row) && !claimed.has(nameOf(row))).map((row) => `${entity} without its act ${nameOf(row)}`),
    ),
    ...keysOutOfStep(rows, at),
    ...assignmentsOutOfStep(rows, at),
    ...sessionsOutOfStep(rows, ["session.login", "session.viewAs", "user.changePassword"].flatMap(acts).length),
    ...toolRunsOutOfStep(rows),
  ];
}

/** Each tenant has one valid key, and its lookups match the records. */
function keysOutOfStep(rows: Row[], at: Map<string, Row>): string[] {
  return rows
    .filter(({ pk, sk }) => pk.endsWith("#CONFIG") && sk === "TENANT")
    .flatMap(({ pk, apiKeyId }) => {
      const records = rows.filter((row) => row.pk === pk && row.sk.startsWith("APIKEY#"));
      const active = records.filter(({ status }) => status === "active").map(({ id }) => id);
      const torn = records.filter(({ lookupHash, status }) => at.get(`KEY#${lookupHash}|KEY`)?.["status"] !== status);
      return [
        ...(active.length === 1 && active[0] === apiKeyId ? [] : [`${pk} names the key ${apiKeyId}, and ${active.join(", ")} is active`]),
        ...torn.map(({ sk }) => `${pk} ${sk} is not as its lookup says`),
      ];
    });
}

function assignmentsOutOfStep(rows: Row[], at: Map<string, Row>): string[] {
  return rows
    .filter(({ pk, sk }) => pk.endsWith("#CONFIG") && sk === "TENANT")
    .flatMap(({ pk, id, fhirProviderId }) => {
      const used = rows.filter(({ sk }) => sk.startsWith(`USEDBY#${id}#`)).map((row) => tenantOf(row.pk));
      const listed = at.get(`PLATFORM#TENANTS|${id}`)?.["fhirProviderId"];
      return listed === fhirProviderId && used.join() === String(fhirProviderId ?? "")
        ? []
        : [`${pk} uses ${fhirProviderId}, is listed with ${listed} and noted at ${used.join(", ")}`];
    });
}

const sessionsOutOfStep = (rows: Row[], opened: number): string[] => {
  const sessions = rows.filter(({ pk }) => pk.startsWith("SESSION#")).length;
  return sessions === opened ? [] : [`${sessions} sessions of ${opened} that were opened`];
};

/** A completed write has both its result and its audit row, or neither. */
function toolRunsOutOfStep(rows: Row[]): string[] {
  const runs = auditsIn(rows).filter(({ action, callKey }) => action.startsWith("tool.") && callKey);
  const finished = rows.filter(({ sk, status, sealedAnswer }) => sk === "IDEMPOTENCY" && status === "done" && sealedAnswer);
  const of = (list: Row[], callKey: unknown) => list.filter((row) => row["callKey"] === callKey);
  return [
    ...finished
      .filter((row) => !of(runs, row["callKey"]).some(({ requestId, actorId }) => requestId === row["requestId"] || actorId === "retry"))
      .map(({ pk }) => `${pk} is done without an audit row`),
    ...runs
      .filter(({ success, detail, callKey }) => success && detail?.["booked"] && of(finished, callKey).length === 0)
      .map(({ pk, sk }) => `${pk}|${sk} booked, and no answer is kept`),
  ];
}
