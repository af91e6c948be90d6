/** All keys of the table by entity, on one page: `keys.call(callKey)`. data-model.md lists them. */
export * from "./entities/api-keys.ts";
export * from "./entities/audit.ts";
export * from "./entities/calendar.ts";
export * from "./entities/calls.ts";
export * from "./entities/dead-letters.ts";
export * from "./entities/due.ts";
export type * from "./entities/entity.ts";
export * from "./entities/erasures.ts";
export * from "./entities/fhir.ts";
export * from "./entities/leads-and-tasks.ts";
export * from "./entities/messages.ts";
export * from "./entities/operations.ts";
export { partitions, tenantPartitions } from "./entities/partitions.ts";
export * from "./entities/tenants.ts";
export * from "./entities/tools.ts";
export * from "./entities/users.ts";
export * from "./entities/voice.ts";
export * from "./entities/webhooks.ts";
