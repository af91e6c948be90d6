import { newId } from "@vitaline/core";
import { keys } from "@vitaline/store";
import type { PlatformKey, TenantKey } from "@vitaline/store/keys.ts";
import { expect, test } from "vitest";
import { rowKindOf, type RowKind } from "../../functions/lib/dynamodb-stream/row-kind.ts";
import { projectedRecords } from "../../infra/config/projected-records.ts";
import { parsePattern } from "../../packages/local-cloud/template/event-pattern.ts";

const patterns = projectedRecords.map((pattern) => parsePattern(JSON.stringify(pattern), "Projection"));
const [tenantId, id, callKey] = [newId(), newId(), keys.callKeyOf("vapi", "a")];
type Place = { pk: string; sk: string };
const at = (key: PlatformKey<unknown> | TenantKey<unknown>): Place =>
  key.scope === "tenant" ? key.primaryKeyIn(tenantId) : key.primaryKey;
const record = ({ pk, sk }: Place, eventName: string, { image = {}, expired = false } = {}) => ({
  eventName,
  ...(expired ? { userIdentity: { type: "Service", principalId: "dynamodb.amazonaws.com" } } : {}),
  dynamodb: { Keys: { pk: { S: pk }, sk: { S: sk } }, [eventName === "REMOVE" ? "OldImage" : "NewImage"]: image },
});
const isDelivered = (one: object): boolean => patterns.some((matches) => matches(one));
const audit = { image: { actorKind: { S: "agent" } } };
const always = (key: Parameters<typeof at>[0]): [Place, string][] =>
  ["INSERT", "MODIFY", "REMOVE"].map((eventName) => [at(key), eventName]);

test("the stream delivers every kind of row that is projected", () => {
  const delivered: Record<RowKind["entity"], [Place, string, object?][]> = {
    call: [
      [at(keys.call(callKey)), "INSERT"],
      [at(keys.call(callKey)), "MODIFY"],
    ],
    live: [[at(keys.liveCall(callKey)), "REMOVE", { expired: true }]],
    delivery: always(keys.delivery(id)),
    task: always(keys.task(id)),
    lead: always(keys.lead(id)),
    webhook: always(keys.webhook(id)),
    notices: always(keys.notices(id)),
    fhirProvider: always(keys.fhirProvider(id)),
    fhirHealth: always(keys.fhirHealth(id)),
    fhirUsedBy: always(keys.fhirUsedBy(id, tenantId, id)),
    voiceHealth: always(keys.voiceHealth(id)),
    audit: [
      [at(keys.audit("2026-11", "api_call", id)), "INSERT", audit],
      [at(keys.platformAudit("2026-11", "api_call", id)), "INSERT", audit],
    ],
    chain: [...always(keys.tenantChain()), ...always(keys.platformChain())],
    keptEventContent: [...always(keys.keptEventContent(id)), ...always(keys.platformKeptEventContent(id))],
    activeUser: [[at(keys.activeUser("2026-11-27", id)), "INSERT"]],
    user: always(keys.userDirectory(id)),
    tenant: always(keys.tenantDirectory()),
    office: always(keys.officeDirectory(id)),
  };
  for (const [entity, records] of Object.entries(delivered))
    for (const [place, eventName, how] of records) {
      expect([place, rowKindOf(place.pk, place.sk)]).toMatchObject([place, { entity }]);
      expect([place, eventName, isDelivered(record(place, eventName, how))]).toEqual([place, eventName, true]);
    }
  expect(patterns.length).toBeLessThanOrEqual(5);
});

test("the projection is not started by rows that it writes itself and that lead to nothing", () => {
  const own: [Place, string, object?][] = [
    [at(keys.stats("TOTAL")), "MODIFY"],
    [at(keys.platformStats("TOTAL")), "MODIFY"],
    [at(keys.countedPosition("a")), "MODIFY"],
    [at(keys.toolRun(callKey, id)), "INSERT"],
    [at(keys.liveCall(callKey)), "INSERT"],
    [at(keys.liveCall(callKey)), "MODIFY"],
    [at(keys.liveCall(callKey)), "REMOVE"],
    [at(keys.feed("2026-11", "others", "0", id)), "INSERT", audit],
    [at(keys.message(id)), "INSERT"],
    [at(keys.calendarEntry(id)), "INSERT"],
    [at(keys.archivedPosition("a")), "MODIFY"],
    [at(keys.callState(callKey)), "MODIFY"],
    [at(keys.toDo(id)), "INSERT"],
    [at(keys.webhookHealth(id)), "MODIFY"],
    [at(keys.tenantConfig()), "MODIFY"],
    [at(keys.audit("2026-11", "api_call", id)), "REMOVE", { ...audit, expired: true }],
  ];
  for (const [place, eventName, how] of own)
    expect([place, eventName, isDelivered(record(place, eventName, how))]).toEqual([place, eventName, false]);
});
