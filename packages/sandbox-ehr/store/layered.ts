import { patientIdOf, type Resource, type ResourceType, type Stored } from "./resource.ts";
import type { Draft, Store } from "./store.ts";

type Rows = Map<string, Stored>;
const keyOf = (type: string, id: string): string => `${type}/${id}`;

/** A server's own records in memory in front of a shared store, created at the first read. Only these are changed here. */
export function layered(below: Store, make: () => Resource[], now: () => Date): Store {
  let rows: Rows | undefined;
  const own = (): Rows =>
    (rows ??= new Map(make().map((one) => [keyOf(one.resourceType, one.id ?? ""), versioned(one, undefined, now())])));

  const get = <T extends ResourceType>(type: T, id: string): Stored<T> | undefined =>
    (own().get(keyOf(type, id)) as Stored<T> | undefined) ?? below.get(type, id);
  const all = <T extends ResourceType>(type: T, patientId?: string): Stored<T>[] =>
    [
      ...of(own(), type, patientId),
      ...below.all(type, patientId).filter((one) => !own().has(keyOf(type, (one as Stored).id))),
    ] as Stored<T>[];

  const begin = (): Draft => {
    const draft = below.begin();
    const changed: Rows = new Map();
    return {
      get: <T extends ResourceType>(type: T, id: string) =>
        ((changed.get(keyOf(type, id)) ?? own().get(keyOf(type, id))) as Stored<T> | undefined) ?? draft.get(type, id),
      all<T extends ResourceType>(type: T, patientId?: string) {
        const before = of(own(), type, patientId).filter(({ id }) => !changed.has(keyOf(type, id)));
        const under = draft.all(type, patientId).filter((one) => !own().has(keyOf(type, (one as Stored).id)));
        return [...of(changed, type, patientId), ...before, ...under] as Stored<T>[];
      },
      put: (changes) =>
        changes.map((one) => {
          const key = keyOf(one.resourceType, one.id ?? "");
          const before = own().get(key);
          if (!before) return draft.put([one])[0]!;
          const stored = versioned(one, before, now());
          changed.set(key, stored);
          return stored;
        }),
      async commit() {
        for (const [key, one] of changed) own().set(key, one);
        await draft.commit();
      },
    };
  };

  return {
    get,
    all,
    begin,
    async commit(changes) {
      const draft = begin();
      const stored = draft.put(changes);
      await draft.commit();
      return stored;
    },
    growFrom: below.growFrom,
    close: below.close,
  };
}

const of = (rows: Rows, type: ResourceType, patientId: string | undefined): Stored[] =>
  [...rows.values()].filter((one) => one.resourceType === type && (patientId === undefined || patientIdOf(one) === patientId));

function versioned(one: Resource, before: Stored | undefined, at: Date): Stored {
  const versionId = String(Number(before?.meta.versionId ?? 0) + 1);
  return { ...one, id: one.id ?? "", meta: { ...one.meta, versionId, lastUpdated: at.toISOString() } } as Stored;
}
