/** A fault put into the product: `from`, which stands once in the file, becomes `to`. */
export type Mutation = { file: string; from: string; to: string };

const first = (tenantId: string): string => `((globalThis as { first?: string }).first ??= ${tenantId})`;
/** The context is narrowed to the first tenant that the function saw instead of the session's tenant. */
export const forgetfulSession: Mutation = {
  file: "functions/lib/auth/session.ts",
  from: "inTenant(ctx, tenant.id)",
  to: `inTenant(ctx, ${first("tenant.id")})`,
};
export const unchecked: Mutation[] = [
  { file: "packages/store/verbs/commit.ts", from: 'if (reach === "platform") return;', to: "if (reach !== undefined) return;" },
  { file: "packages/store/verbs/store.ts", from: "if (!mayQuery(partition))", to: "if (mayQuery === undefined)" },
  { file: "packages/store/verbs/write.ts", from: "owner === undefined ? [] :", to: "true ? [] :" },
];
/** The store addresses and lists the rows of the first tenant that it saw. */
export const forgetfulStore: Mutation[] = [
  {
    file: "packages/store/verbs/commit.ts",
    from: "return key.primaryKeyIn(tenantId);",
    to: `return key.primaryKeyIn(${first("tenantId")});`,
  },
  {
    file: "packages/store/verbs/store.ts",
    from: '":pk": partition,',
    to: `":pk": handle.tenantId === undefined ? partition : partition.replace(handle.tenantId, ${first("handle.tenantId")}),`,
  },
];

export const withoutRoleCheck: Mutation = {
  file: "functions/lib/auth/session.ts",
  from: 'if (ctx.session.actor.role !== "system_admin") throw forbidden();',
  to: "",
};

export const mutations: Mutation[] = [forgetfulSession, ...unchecked, ...forgetfulStore, withoutRoleCheck];
