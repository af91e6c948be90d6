import type { Tenant } from "@vitaline/contract";

const shown = 5;

export type OfTenant<Row> = { tenant: Tenant; row: Row };

/** The newest few of what all organizations have, each with its organization. */
export const newest = <Row extends { createdAt: string }>(groups: readonly { tenant: Tenant; data: readonly Row[] }[]): OfTenant<Row>[] =>
  groups
    .flatMap(({ tenant, data }) => data.map((row) => ({ tenant, row })))
    .toSorted((a, b) => b.row.createdAt.localeCompare(a.row.createdAt))
    .slice(0, shown);
