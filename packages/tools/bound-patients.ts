import type { Bound } from "./request-key.ts";

/** To whom calls were bound when this process last knew: only a guess of which row to read in the first trip, and never believed. */
const known = new Map<string, Bound>();
const mostCalls = 5000;

export const guessBound = (tenantId: string, callKey: string): Bound | undefined => known.get(`${tenantId}/${callKey}`);

export function rememberBound(tenantId: string, callKey: string, { patientId, providerId }: Bound): void {
  if (known.size >= mostCalls) known.clear();
  known.set(`${tenantId}/${callKey}`, { patientId, providerId });
}
