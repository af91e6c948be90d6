import { mkdir, open, readFile, rename } from "node:fs/promises";
import { join } from "node:path";
import { patientIdOf, type Resource, type ResourceType, resourceTypes, type Stored } from "./resource.ts";

export interface View {
  get<T extends ResourceType>(type: T, id: string): Stored<T> | undefined;
  all<T extends ResourceType>(type: T, patientId?: string): Stored<T>[];
}

/** Uncommitted changes on top of the store. */
export interface Draft extends View {
  put(changes: Resource[]): Stored[];
  /** Resolves when the changes are durable. The reads they depend on must happen in the same tick. */
  commit(): Promise<void>;
}

export interface Store extends View {
  begin(): Draft;
  commit(changes: Resource[]): Promise<Stored[]>;
  /** Charts are generated at the first read, always alike; only changed resources are stored on disk. */
  growFrom(source: ChartSource): void;
  close(): Promise<void>;
}

interface ChartSource {
  types: readonly ResourceType[];
  patientIds: readonly string[];
  chartOf(patientId: string): Resource[];
  writtenAt: string;
}

const noJournal: Journal = { append: async () => {}, close: async () => {} };

/** In memory without a data folder. */
export async function openStore({ dataDir, now }: { dataDir: string | undefined; now: () => Date }): Promise<Store> {
  const tables = openTables();
  const journal = dataDir
    ? await openJournal(dataDir, (entries) => {
        for (const entry of entries) (entry as Stored[]).forEach(tables.put);
        return resourceTypes.map((type) => tables.all(type));
      })
    : noJournal;

  let grow = (_type: ResourceType, _patientId?: string): void => {};
  const view: View = {
    get<T extends ResourceType>(type: T, id: string) {
      const found = tables.get(type, id);
      if (found) return found;
      grow(type);
      return tables.get(type, id);
    },
    all<T extends ResourceType>(type: T, patientId?: string) {
      grow(type, patientId);
      return tables.all(type, patientId);
    },
  };

  const nextVersion = (resource: Resource): Stored => {
    if (!resource.id) throw new Error("a stored resource needs an id");
    const before = view.get(resource.resourceType, resource.id);
    const versionId = String(Number(before?.meta.versionId ?? 0) + 1);
    return { ...resource, id: resource.id, meta: { ...resource.meta, versionId, lastUpdated: now().toISOString() } };
  };

  const begin = (): Draft => {
    const changed = new Map<string, Stored>();
    const key = (type: string, id: string) => `${type}/${id}`;
    return {
      get: <T extends ResourceType>(type: T, id: string) => (changed.get(key(type, id)) as Stored<T> | undefined) ?? view.get(type, id),
      all<T extends ResourceType>(type: T, patientId?: string) {
        const kept = view.all(type, patientId).filter((resource) => !changed.has(key(type, (resource as Stored).id)));
        const added = [...changed.values()].filter(
          (resource) => resource.resourceType === type && (patientId === undefined || patientIdOf(resource) === patientId),
        );
        return [...kept, ...(added as Stored<T>[])];
      },
      put(changes) {
        const stored = changes.map(nextVersion);
        for (const resource of stored) changed.set(key(resource.resourceType, resource.id), resource);
        return stored;
      },
      async commit() {
        const stored = [...changed.values()];
        stored.forEach(tables.put);
        if (stored.length > 0) await journal.append(stored);
      },
    };
  };

  return {
    ...view,
    begin,
    async commit(changes) {
      const draft = begin();
      const stored = draft.put(changes);
      await draft.commit();
      return stored;
    },
    growFrom(source) {
      grow = createChartLoader(tables, source);
    },
    close: () => journal.close(),
  };
}

type Tables = ReturnType<typeof openTables>;

/** One table per type; the index by patient is built at its first use. */
function openTables() {
  const byId = new Map<ResourceType, Map<string, Stored>>(resourceTypes.map((type) => [type, new Map()]));
  const byPatient = new Map<ResourceType, Map<string, Map<string, Stored>>>();
  const index = (rows: Map<string, Map<string, Stored>>, resource: Stored) => {
    const patientId = patientIdOf(resource);
    if (patientId === undefined) return;
    if (!rows.has(patientId)) rows.set(patientId, new Map());
    rows.get(patientId)!.set(resource.id, resource);
  };
  const rowsOf = (type: ResourceType) => {
    let rows = byPatient.get(type);
    if (!rows) {
      byPatient.set(type, (rows = new Map()));
      for (const resource of byId.get(type)!.values()) index(rows, resource);
    }
    return rows;
  };
  return {
    get: <T extends ResourceType>(type: T, id: string) => byId.get(type)!.get(id) as Stored<T> | undefined,
    all: <T extends ResourceType>(type: T, patientId?: string) =>
      [...(patientId === undefined ? byId.get(type)! : (rowsOf(type).get(patientId) ?? new Map<string, Stored>())).values()] as Stored<T>[],
    put(resource: Stored) {
      const { resourceType: type, id } = resource;
      const before = byId.get(type)!.get(id);
      byId.get(type)!.set(id, resource);
      const rows = byPatient.get(type);
      const was = before && rows && patientIdOf(before);
      if (was !== undefined && was !== patientIdOf(resource)) rows?.get(was)?.delete(id);
      if (rows) index(rows, resource);
    },
  };
}

/** Adds the charts of one patient or of all, each once; changed resources stay. */
function createChartLoader(tables: Tables, { types, patientIds, chartOf, writtenAt }: ChartSource) {
  const waiting = new Set(patientIds);
  return (type: ResourceType, patientId?: string): void => {
    if (!types.includes(type)) return;
    for (const id of patientId === undefined ? [...waiting] : [patientId]) {
      if (!waiting.delete(id)) continue;
      for (const resource of chartOf(id)) {
        const stored = { ...resource, meta: { ...resource.meta, versionId: "1", lastUpdated: writtenAt } } as Stored;
        if (!tables.get(stored.resourceType, stored.id)) tables.put(stored);
      }
    }
  };
}

interface Journal {
  /** Resolves when the entry is durable; concurrent entries share one fsync. */
  append(entry: unknown): Promise<void>;
  close(): Promise<void>;
}

/** Replays a journal and replaces it with the result of `replay`. */
async function openJournal(dataDir: string, replay: (entries: unknown[]) => unknown[]): Promise<Journal> {
  await mkdir(dataDir, { recursive: true });
  const path = join(dataDir, "resources.jsonl");
  await replace(dataDir, path, replay(await readEntries(path)));
  const file = await open(path, "a");

  let waiting: string[] = [];
  let flush: Promise<void> | undefined;
  const writeWaiting = async () => {
    await Promise.resolve();
    const lines = waiting.join("");
    waiting = [];
    flush = undefined;
    await file.appendFile(lines);
    await file.datasync();
  };
  let last = Promise.resolve();
  const append = (entry: unknown) => {
    waiting.push(JSON.stringify(entry) + "\n");
    return (flush ??= last = last.then(writeWaiting));
  };
  const close = async () => {
    await last;
    await file.close();
  };
  return { append, close };
}

/** A last line without a newline was never acknowledged and is dropped. */
async function readEntries(path: string): Promise<unknown[]> {
  const text = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return "";
    throw error;
  });
  return text
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line) as unknown);
}

async function replace(dataDir: string, path: string, entries: unknown[]): Promise<void> {
  const draft = await open(`${path}.new`, "w");
  await draft.writeFile(entries.map((entry) => JSON.stringify(entry) + "\n").join(""));
  await draft.sync();
  await draft.close();
  await rename(`${path}.new`, path);
  const folder = await open(dataDir, "r");
  await folder.sync();
  await folder.close();
}
