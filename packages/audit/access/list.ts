import type { ListedAccessReport, ReportablePerson } from "@vitaline/contract";
import { awaitAllThenThrow, type Context, idFloor } from "@vitaline/core";
import {
  type AccessReportRow,
  type Audit,
  fullName,
  keys,
  type Page,
  type PatientRef,
  type TenantContext,
  type UserDirectoryRow,
} from "@vitaline/store";
import type { AccessScope } from "./scope.ts";
import { toAccessReport } from "./view.ts";

type Asked = { limit?: number | undefined; cursor?: string | undefined };

const pageSize = 20;

/**
 * Unexpired reports, newest first; audited. A tenant's list names the patients by id, the platform's names none. One Query, and one round
 * trip for names.
 */
export async function listAccessReports(
  { clock }: Pick<Context, "clock">,
  scope: AccessScope,
  { limit = pageSize, cursor }: Asked,
): Promise<Page<ListedAccessReport>> {
  const store = scope.storeFor({});
  // Counts of what users asked for come after all ids.
  const to = idFloor(clock().getTime() + 1);
  const { rows, next } = await store.query<AccessReportRow>(scope.partition, { to, descending: true, limit, cursor });
  const people = rows.flatMap(({ requestedBy, about }) => (about.kind === "user" ? [requestedBy, about.userId] : [requestedBy]));
  const tenants = rows.flatMap(({ tenantId }) => tenantId ?? []);
  const [users, organizations] = await awaitAllThenThrow([
    scope.userNames([...new Set(people)]),
    scope.tenantNames([...new Set(tenants)]),
    store.commit([], {
      ...(scope.tenantId === undefined ? { category: "data_query" } : shownPatients(rows)),
      action: "accessReport.list",
      resourceType: "AccessReport",
      detail: { rows: rows.length },
    }),
  ]);
  const listed = rows.map((row): ListedAccessReport => {
    const { about, requestedBy, tenantId } = row;
    const userId = about.kind === "user" ? about.userId : undefined;
    return {
      ...toAccessReport(row),
      requestedBy,
      requestedByName: users.get(requestedBy) ?? null,
      patientId: about.kind === "patient" && scope.tenantId !== undefined ? about.patientId : null,
      userId: userId ?? null,
      userName: (userId !== undefined && users.get(userId)) || null,
      tenantName: (tenantId !== undefined && organizations.get(tenantId)) || null,
    };
  });
  return { rows: listed, next };
}

/** So that a later report about one of them finds who saw that there was this one. */
const shownPatients = (rows: readonly AccessReportRow[]): Pick<Audit, "category" | "patients"> => {
  const refs = rows.flatMap(({ about }): [string, PatientRef][] => {
    if (about.kind !== "patient") return [];
    const { patientId: id, fhirProviderId } = about;
    return [[JSON.stringify([fhirProviderId, id]), { id, ...(fhirProviderId === undefined ? {} : { fhirProviderId }) }]];
  });
  return refs.length === 0 ? { category: "data_query" } : { category: "patient_access", patients: [...new Map(refs).values()] };
};

const peoplePageSize = 200;

/** Oldest first. One Query. */
export async function listReportablePeople(
  { store, tenantId }: TenantContext,
  { limit = peoplePageSize, cursor }: Asked,
): Promise<Page<ReportablePerson>> {
  const { rows, next } = await store.query<UserDirectoryRow>(keys.tenantPartitions.users(tenantId), { limit, cursor });
  return { rows: rows.map((user) => ({ id: user.id, name: fullName(user), email: user.email, isActive: user.isActive })), next };
}
