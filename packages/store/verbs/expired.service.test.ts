import { DeleteItemCommand } from "@aws-sdk/client-dynamodb";
import { newId } from "@vitaline/core";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { database, isDatabaseMissing, startTestAws, type TestAws } from "../../../test/kit/aws.ts";
import { check, create, keys, put, remove, tenantStore, update, type Audit, type CallStateRow, type Condition } from "../index.ts";
import { table } from "./table.ts";
import type { Write } from "./write.ts";

type Row = CallStateRow;
const audit: Audit = { category: "configuration_change", action: "call.test", resourceType: "Call", resourceId: "c" };
const startMs = Date.UTC(2026, 10, 23, 12);
const hourMs = 3_600_000;

/** The expected row after a write; undefined when it is refused. */
function expected(row: Row | undefined, write: Write): { row: Row | undefined } | undefined {
  const { when = {} } = write;
  const of = (row ?? {}) as Record<string, unknown>;
  const holds =
    (when.exists === undefined || when.exists === (row !== undefined)) &&
    Object.entries(when.equals ?? {}).every(([name, value]) => of[name] === value) &&
    Object.entries(when.notEquals ?? {}).every(([name, value]) => of[name] !== value) &&
    (when.absent ?? []).every((name) => of[name] === undefined) &&
    Object.entries(when.lessThanOrAbsent ?? {}).every(
      ([name, value]) => of[name] === undefined || (of[name] as number) < (value as number),
    );
  if (!holds) return undefined;
  if (write.verb === "put") return { row: write.row as Row };
  if (write.verb === "delete") return { row: undefined };
  if (write.verb === "check") return { row };
  const { set = {}, setOnce = {}, add = {}, remove: gone = [] } = write.change;
  const changed: Record<string, unknown> = { ...setOnce, ...of, ...set };
  for (const [name, count] of Object.entries(add)) changed[name] = ((of[name] as number | undefined) ?? 0) + (count as number);
  for (const name of gone) delete changed[name];
  return { row: changed as Row };
}

const key = keys.callState("c");
const row = fc.record(
  { level: fc.constantFrom(0 as const, 1 as const, 2 as const), tries: fc.nat(3), patientId: fc.constantFrom("p", "q") },
  { requiredKeys: ["level", "tries"] },
);
const lifeHours = fc.constantFrom(1, 4, 24);
const when: fc.Arbitrary<Condition | undefined> = fc.constantFrom<Condition | undefined>(
  undefined,
  { exists: true },
  { exists: false },
  { equals: { level: 0 } },
  { notEquals: { patientId: "p" } },
  { absent: ["patientId"] },
  { lessThanOrAbsent: { tries: 2 } },
  { absent: ["callEndedAt"], lessThanOrAbsent: { tries: 1 } },
);
type Facts = Pick<Row, "level" | "tries"> & { patientId?: string };
type Act =
  | { verb: "put"; row: Facts; lifeHours: number; when: Condition | undefined }
  | { verb: "update"; row: Facts; lifeHours: number | null; when: Condition | undefined }
  | { verb: "delete" | "check"; when: Condition | undefined }
  | { verb: "wait"; hours: number }
  | { verb: "expire" };
const act: fc.Arbitrary<Act> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ verb: fc.constant("put" as const), row, lifeHours, when }) },
  { weight: 4, arbitrary: fc.record({ verb: fc.constant("update" as const), row, lifeHours: fc.option(lifeHours), when }) },
  { weight: 1, arbitrary: fc.record({ verb: fc.constantFrom("delete" as const, "check" as const), when }) },
  { weight: 3, arbitrary: fc.record({ verb: fc.constant("wait" as const), hours: fc.constantFrom(1, 5, 30, 72) }) },
  { weight: 1, arbitrary: fc.record({ verb: fc.constant("expire" as const) }) },
);
describe.skipIf(isDatabaseMissing)(`an expired row that the database has not deleted yet, on ${database}`, () => {
  let it: TestAws;
  beforeAll(async () => {
    it = await startTestAws();
  }, 90_000);
  afterAll(() => it.close());

  const storeAt = (clock: () => Date, tenantId: string = newId()) => tenantStore({ ...it.inTenant(tenantId), clock }, tenantId);
  /** TTL deletes with a delay of up to days. */
  const deleteForGood = async (tenantId: string): Promise<void> => {
    const { pk, sk } = key.primaryKeyIn(tenantId);
    await table().client.send(new DeleteItemCommand({ TableName: table().name, Key: { pk: { S: pk }, sk: { S: sk } } }));
  };

  test("C01, C05: is absent for every read, condition and change, in single writes and in transactions", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(act, { minLength: 2, maxLength: 12 }), fc.boolean(), async (acts: Act[], isTransaction) => {
        let nowMs = startMs;
        const store = storeAt(() => new Date(nowMs));
        const other = storeAt(() => new Date(nowMs));
        const endOf = (hours: number) => nowMs / 1000 + hours * 3600;
        const writeOf = (one: Exclude<Act, { verb: "wait" | "expire" }>): Write => {
          if (one.verb === "put") return put<Row>(key, { ...one.row, expiresAt: endOf(one.lifeHours) }, one.when);
          if (one.verb !== "update") return one.verb === "delete" ? remove(key, one.when) : check(key, one.when ?? { exists: true });
          const { tries, ...set } = one.row;
          const expiresAt = one.lifeHours === null ? {} : { expiresAt: endOf(one.lifeHours) };
          return update<Row>(key, { set: { ...set, ...expiresAt }, add: { tries }, setOnce: { providerId: "first" } }, one.when);
        };
        let known: Row | undefined;
        const isDead = () => known?.expiresAt !== undefined && known.expiresAt * 1000 <= nowMs;
        for (const one of acts) {
          if (one.verb === "wait") nowMs += one.hours * hourMs;
          if (isDead()) known = undefined;
          if (one.verb === "expire" && known === undefined) await deleteForGood(store.tenantId);
          if (one.verb !== "wait" && one.verb !== "expire") {
            const write = writeOf(one);
            const wanted = expected(known, write);
            if (isTransaction || write.verb === "check")
              expect(
                await store.commit([write], audit).then(
                  () => true,
                  () => false,
                ),
              ).toBe(wanted !== undefined);
            else expect((await store.writeUnaudited(write)) !== undefined).toBe(wanted !== undefined);
            if (wanted) known = wanted.row;
          }
          if (isDead()) known = undefined;
          expect(await store.get(key)).toEqual(known);
          expect(await store.batchGet([key])).toEqual([known]);
        }
        expect(await other.get(key)).toBeUndefined();
      }),
      { numRuns: process.env["FULL"] ? 1000 : 60 },
    );
  }, 300_000);

  test("of ten concurrent updates one replaces it and the others change the new row", async () => {
    let nowMs = startMs;
    const store = storeAt(() => new Date(nowMs));
    await store.writeUnaudited(put<Row>(key, { level: 2, patientId: "p", tries: 7, expiresAt: nowMs / 1000 + 60 }));
    nowMs += hourMs;
    const expiresAt = nowMs / 1000 + 3600;
    await Promise.all(Array.from({ length: 10 }, () => store.writeUnaudited(update<Row>(key, { add: { tries: 1 }, set: { expiresAt } }))));
    expect(await store.get(key)).toEqual({ tries: 10, expiresAt });
  });

  test("a transaction replaces it together with its other rows, or changes nothing", async () => {
    let nowMs = startMs;
    const store = storeAt(() => new Date(nowMs));
    const office = { id: "o", name: "Main", isActive: true, createdAt: new Date(startMs).toISOString() };
    await store.writeUnaudited(put<Row>(key, { level: 2, tries: 0, patientId: "p", expiresAt: nowMs / 1000 + 60 }));
    nowMs += hourMs;
    const raise = update<Row>(key, { set: { level: 1, expiresAt: nowMs / 1000 + 3600 } }, { absent: ["callEndedAt"] });
    await store.commit([raise, create(keys.office("o"), office)], audit);
    expect(await store.batchGet([key, keys.office("o")])).toEqual([{ level: 1, expiresAt: nowMs / 1000 + 3600 }, office]);
    nowMs += 5 * hourMs;
    await expect(store.commit([raise, create(keys.office("o"), office)], audit)).rejects.toMatchObject({ code: "duplicate" });
    expect(await store.get(key)).toBeUndefined();
  });
});
