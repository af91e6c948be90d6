import { awaitAllThenThrow, inBatches } from "@vitaline/core";
import { fullName, keys, type AuditRow, type TenantContext, type UserDirectoryRow } from "@vitaline/store";
import type { ScopedContext } from "@vitaline/store/scoped.ts";

/** Current names of the actors and tenants in audit rows, which store only ids. */
export type DisplayNames = {
  /** Reads the names that are not loaded yet, up to 100 users and 100 tenants per request, in parallel. */
  load(rows: readonly AuditRow[]): Promise<void>;
  loadTenant(tenantId: string): Promise<void>;
  /** Undefined for the system, for unauthenticated clients and for deleted actors. */
  actorName(row: AuditRow): string | undefined;
  tenantName(row: Pick<AuditRow, "tenantId">): string | undefined;
};

const tenantActors: Readonly<Record<string, string>> = { api_key: "API key", voice_provider: "Voice platform" };

export function displayNames(ctx: ScopedContext<"accounts" | "directory">): DisplayNames {
  const users = new Map<string, string | undefined>();
  const tenants = new Map<string, string | undefined>();
  const tenantName = ({ tenantId }: Pick<AuditRow, "tenantId">) => (tenantId === undefined ? undefined : tenants.get(tenantId));
  return {
    async load(rows) {
      await awaitAllThenThrow([
        loadMissing(users, rows.flatMap(userIdOf), (ids) => userNames(ctx, ids)),
        loadMissing(
          tenants,
          rows.flatMap(({ tenantId }) => tenantId ?? []),
          (ids) => tenantNames(ctx, ids),
        ),
      ]);
    },
    loadTenant: (tenantId) => loadMissing(tenants, [tenantId], (ids) => tenantNames(ctx, ids)),
    actorName(row) {
      const kind = tenantActors[row.actorKind];
      const tenant = tenantName(row);
      if (kind) return tenant === undefined ? undefined : `${kind} of ${tenant}`;
      return viewAsName(row) ?? users.get(row.actorId);
    },
    tenantName,
  };
}

/** In tenants with more users, some names are not shown. */
const maxNamedUsers = 500;

/** The same for a tenant, by its own rows: names of its users. One Query and one Get. */
export function namesInTenant({ store, tenantId }: TenantContext): DisplayNames {
  const users = new Map<string, string>();
  let name: string | undefined;
  let loading: Promise<void> | undefined;
  const load = (): Promise<void> =>
    (loading ??= (async () => {
      const [{ rows }, tenant] = await awaitAllThenThrow([
        store.query<UserDirectoryRow>(keys.tenantPartitions.users(tenantId), { limit: maxNamedUsers }),
        store.get(keys.tenantConfig()),
      ]);
      for (const user of rows) users.set(user.id, fullName(user));
      name = tenant?.name;
    })());
  return {
    load,
    loadTenant: load,
    actorName: (row) => {
      const kind = tenantActors[row.actorKind];
      return kind ? name && `${kind} of ${name}` : userNameInTenant(row, users);
    },
    tenantName: (row) => (row.tenantId === tenantId ? name : undefined),
  };
}

/** A tenant knows the platform's administrators by their role alone. */
export const userNameInTenant = (row: AuditRow, users: ReadonlyMap<string, string>): string | undefined =>
  viewAsName(row) ?? users.get(row.actorId) ?? (row.actorRole === "system_admin" ? "Platform administrator" : undefined);

/** The administrator who viewed the tenant's screens in place of its own administrator. */
export const viewAsName = ({ detail }: AuditRow): string | undefined => {
  const name = detail?.["viewAsBy"];
  return typeof name === "string" ? name : undefined;
};

const userIdOf = (row: AuditRow): string[] => (row.actorKind === "user" && viewAsName(row) === undefined ? [row.actorId] : []);

async function loadMissing(
  known: Map<string, string | undefined>,
  wanted: readonly string[],
  read: (ids: string[]) => Promise<Map<string, string>>,
): Promise<void> {
  const missing = [...new Set(wanted)].filter((id) => !known.has(id));
  const found = await read(missing);
  for (const id of missing) known.set(id, found.get(id));
}

export async function userNames(ctx: ScopedContext<"accounts">, ids: readonly string[]): Promise<Map<string, string>> {
  return namesOf(await inBatches(ids, (chunk) => ctx.platform.batchGet(chunk.map((id) => keys.userDirectory(id)))));
}

/** Without users of other tenants. */
export async function userNamesInTenant({ store }: Pick<TenantContext, "store">, ids: readonly string[]): Promise<Map<string, string>> {
  return namesOf(await inBatches(ids, (chunk) => store.batchGet(chunk.map((id) => keys.tenantUser(id)))));
}

const namesOf = (users: readonly (UserDirectoryRow | undefined)[]): Map<string, string> =>
  new Map(users.flatMap((user) => (user ? [[user.id, fullName(user)]] : [])));

export async function tenantNames(ctx: ScopedContext<"directory">, ids: readonly string[]): Promise<Map<string, string>> {
  const tenants = await inBatches(ids, (chunk) => ctx.platform.batchGet(chunk.map((id) => keys.listedTenant(id))));
  return new Map(tenants.flatMap((tenant) => (tenant ? [[tenant.id, tenant.name]] : [])));
}
