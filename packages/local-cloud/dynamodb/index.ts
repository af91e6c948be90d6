export { type Capacity } from "./capacity.ts";
export { openEngine, type Engine } from "./engine.ts";
export { sweepExpired } from "./expiry.ts";
export { OPERATIONS, type TableAccess } from "./operations.ts";
export { tableStream } from "./stream.ts";
export { emptyTables, ensureTable } from "./tables.ts";
export { createUsageLog } from "./usage.ts";
