import { AsyncLocalStorage } from "node:async_hooks";

const acting = new AsyncLocalStorage<{ tenantId?: string }>();

/** Runs an invocation, which acts for no tenant yet. */
export const servingOneTenant = <T>(serve: () => Promise<T>): Promise<T> => acting.run({}, serve);

/** From now on the invocation may act for this tenant alone: its caller has proven to belong to it. */
export function actFor(tenantId: string): void {
  requireActingFor(tenantId);
  const invocation = acting.getStore();
  if (invocation) invocation.tenantId = tenantId;
}

export function requireActingFor(tenantId: string): void {
  const current = acting.getStore()?.tenantId;
  if (current !== undefined && current !== tenantId) throw new Error("This invocation acts for another tenant");
}
