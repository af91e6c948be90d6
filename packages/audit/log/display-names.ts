import { allDone, inHundreds } from "@vitaline/core";
import { type AuditRow, keys } from "@vitaline/store";
import type { PlatformContext } from "@vitaline/store/platform.ts";

/** What the actors and tenants of rows are called now: the audit itself holds their ids. */
export type Names = {
  /** Reads the names that are still missing: a hundred users, and a hundred tenants, a request, all at once. */
  learn(rows: readonly AuditRow[]): Promise<void>;
  /** A person by their name, a key or a voice platform by its tenant's; undefined for the system, for nobody, and for who is gone. */
  actorOf(row: AuditRow): string | undefined;
  tenantOf(row: AuditRow): string | undefined;
};

/** What users are called, of those who are in the directory. */
export async function userNames(ctx: PlatformContext, ids: readonly string[]): Promise<Map<string, string>> {
  const users = await inHundreds(ids, (some) => ctx.platform.batchGet(some.map((id) => keys.userDirectory(id))));
  return new Map(users.flatMap((user) => (user ? [[user.id, `${user.firstName} ${user.lastName}`.trim() || user.email]] : [])));
}

async function tenantNames(ctx: PlatformContext, ids: readonly string[]): Promise<Map<string, string>> {
  const tenants = await inHundreds(ids, (some) => ctx.platform.batchGet(some.map((id) => keys.listedTenant(id))));
  return new Map(tenants.flatMap((tenant) => (tenant ? [[tenant.id, tenant.name]] : [])));
}

const ofTenants: Readonly<Record<string, string>> = { api_key: "API key", voice_provider: "Voice platform" };

export function namesFor(ctx: PlatformContext): Names {
  const people = new Map<string, string | undefined>();
  const tenants = new Map<string, string | undefined>();
  const tenantOf = ({ tenantId }: AuditRow) => (tenantId === undefined ? undefined : tenants.get(tenantId));
  return {
    async learn(rows) {
      await allDone([
        extend(people, rows.flatMap(personOf), (ids) => userNames(ctx, ids)),
        extend(
          tenants,
          rows.flatMap(({ tenantId }) => tenantId ?? []),
          (ids) => tenantNames(ctx, ids),
        ),
      ]);
    },
    actorOf(row) {
      const kind = ofTenants[row.actorKind];
      const tenant = tenantOf(row);
      if (kind) return tenant === undefined ? undefined : `${kind} of ${tenant}`;
      return viewerOf(row) ?? people.get(row.actorId);
    },
    tenantOf,
  };
}

const personOf = (row: AuditRow): string[] => (row.actorKind === "user" && viewerOf(row) === undefined ? [row.actorId] : []);

/** Who is not found is not looked for again. */
async function extend(
  known: Map<string, string | undefined>,
  wanted: readonly string[],
  read: (ids: string[]) => Promise<Map<string, string>>,
): Promise<void> {
  const missing = [...new Set(wanted)].filter((id) => !known.has(id));
  const found = await read(missing);
  for (const id of missing) known.set(id, found.get(id));
}

/** Who looked at the tenant in its administrator's place, by the name that the row holds. */
export const viewerOf = ({ detail }: AuditRow): string | undefined => {
  const name = detail?.["viewAsBy"];
  return typeof name === "string" ? name : undefined;
};
