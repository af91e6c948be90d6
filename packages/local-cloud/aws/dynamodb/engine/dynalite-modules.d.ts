/** The parts of dynalite 4.0.0 that the engine uses; the package ships no types. */
declare module "dynalite/db/index.js" {
  type Item = import("../../types.ts").Item;
  type Level = import("./dynalite.ts").Level;
  type Path = import("./dynalite.ts").Path;
  type Store = import("./dynalite.ts").Store;
  type Table = import("./dynalite.ts").Table;

  const db: {
    create(options: { path?: string; createTableMs: number }): Store;
    validateKey(key: Item, table: Table): Error | null | undefined;
    validateItem(item: Item, table: Table): Error | null | undefined;
    validateUpdates(legacy: undefined, updates: unknown, table: Table): Error | null | undefined;
    validateKeyPaths(nested: Record<string, true> | undefined, table: Table): Error | null | undefined;
    createKey(item: Item, table: Table): string;
    itemSize(item: Item, isCompressed: boolean, withOverhead: boolean, rangeKey: string | undefined): number;
    queryTable(
      store: Store,
      table: Table,
      data: import("./dynalite.ts").Parsed,
      range: import("./dynalite.ts").Range,
      isLocal: boolean | undefined,
      fetchFromItemDb: boolean,
      keyNames: string[],
      done: (error: Error | null, page?: import("./dynalite.ts").RawPage) => void,
    ): void;
    mapPaths(paths: Path[], item: Item): Item;
    getIndexActions(
      indexes: NonNullable<Table["GlobalSecondaryIndexes"]>,
      old: Item | undefined,
      next: Item | undefined,
      table: Table,
    ): { puts: { index: string; key: string; item: Item }[]; deletes: { index: string; key: string }[] };
  };
  export default db;
  export type { Level };
}

declare module "dynalite/validations/index.js" {
  type Store = import("./dynalite.ts").Store;

  const validations: {
    checkTypes(data: object, types: unknown): object;
    checkValidations(data: object, types: unknown, custom: unknown, store: Store): void;
  };
  export default validations;
}

declare module "dynalite/validations/*Item.js" {
  const validation: { types: unknown; custom: unknown };
  export default validation;
}
declare module "dynalite/validations/query.js" {
  const validation: { types: unknown; custom: unknown };
  export default validation;
}
declare module "dynalite/validations/scan.js" {
  const validation: { types: unknown; custom: unknown };
  export default validation;
}
declare module "dynalite/validations/createTable.js" {
  const validation: { types: unknown; custom: unknown };
  export default validation;
}

declare module "dynalite/actions/*" {
  type Parsed = import("./dynalite.ts").Parsed;
  type RawPage = import("./dynalite.ts").RawPage;
  type Store = import("./dynalite.ts").Store;

  const action: (store: Store, data: Parsed, done: (error: Error | null, page: RawPage) => void) => void;
  export default action;
}

declare module "dynalite/db/*Parser.js" {
  const parser: import("./expression-cache.ts").ExpressionParser;
  export default parser;
}
