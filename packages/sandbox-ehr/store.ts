import { openJournal, type Journal } from "./journal.ts";
import { resourceTypes, type Resource, type ResourceType, type Stored } from "./resource.ts";

export interface Store {
  get<T extends ResourceType>(type: T, id: string): Stored<T> | undefined;
  all<T extends ResourceType>(type: T): Stored<T>[];
  /** Applies all changes at once; resolves when they would survive a crash. Every resource needs its id. */
  commit(changes: Resource[]): Promise<Stored[]>;
  close(): Promise<void>;
}

const noJournal: Journal = { append: async () => {}, close: async () => {} };

/** Opens the resources of a data folder, or an empty memory store without one. */
export async function openStore({ dataDir, now }: { dataDir: string | undefined; now: () => Date }): Promise<Store> {
  const tables = new Map<ResourceType, Map<string, Stored>>(resourceTypes.map((type) => [type, new Map()]));
  const table = (type: ResourceType) => tables.get(type)!;
  const put = (resource: Stored) => table(resource.resourceType).set(resource.id, resource);

  const journal = dataDir
    ? await openJournal(dataDir, (entries) => {
        for (const entry of entries) (entry as Stored[]).forEach(put);
        return resourceTypes.map((type) => [...table(type).values()]);
      })
    : noJournal;

  const nextVersion = (resource: Resource): Stored => {
    if (!resource.id) throw new Error("a stored resource needs an id");
    const before = table(resource.resourceType).get(resource.id);
    const versionId = String(Number(before?.meta.versionId ?? 0) + 1);
    return { ...resource, id: resource.id, meta: { ...resource.meta, versionId, lastUpdated: now().toISOString() } };
  };

  return {
    get: <T extends ResourceType>(type: T, id: string) => table(type).get(id) as Stored<T> | undefined,
    all: <T extends ResourceType>(type: T) => [...table(type).values()] as Stored<T>[],
    async commit(changes) {
      const stored = changes.map(nextVersion);
      stored.forEach(put);
      await journal.append(stored);
      return stored;
    },
    close: () => journal.close(),
  };
}
