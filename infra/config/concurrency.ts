import type { FunctionName } from "./functions.ts";

/** Lambda's quota in an established account; new accounts begin with ten. */
export const usualQuota = 1000;
/** Lambda keeps these for functions without a reservation. */
const unreservable = 100;
/** A smaller account reserves nothing. */
const smallestQuota = 300;
/** A scheduled run may begin before the last one has ended. */
const smallestShare = 2;

/**
 * What each function may run at once in an account of a thousand, and is kept for it. Functions that wait for EHRs, receivers and voice
 * platforms are limited, so that they cannot take the executions kept for sign-in and the stream, nor the rest, which the other screens share.
 */
const shares: Partial<Record<FunctionName, number>> = {
  voice: 350,
  mcp: 150,
  tools: 20,
  auth: 60,
  tenant: 60,
  fhir: 20,
  agents: 20,
  "events/project": 60,
  "events/archive": 30,
  "events/deliver": 20,
  "events/receipts": 20,
  "events/export": 10,
  "events/retry": 5,
  "events/erase": 5,
  "events/retain": 5,
  "events/health": 12,
  "events/remind": 20,
  "events/reconcile": 6,
  "events/verify": 5,
  "events/canary": 2,
};

/** The reservations of a stage: the shares in proportion to the account's quota, with what the stage states itself. */
export function reservations(quota: number, stated: Partial<Record<FunctionName, number>>): Partial<Record<FunctionName, number>> {
  const scale = (quota - unreservable) / (usualQuota - unreservable);
  const scaled = quota < smallestQuota ? [] : Object.entries(shares).map(([name, share]) => [name, scaledShare(share, scale)]);
  const reserved = { ...(Object.fromEntries(scaled) as typeof shares), ...stated };
  const total = Object.values(reserved).reduce((sum, share) => sum + share, 0);
  if (total > 0 && total > quota - unreservable)
    throw new Error(
      `reservedConcurrency takes ${total} executions; of the account's ${quota} (accountConcurrency) Lambda keeps ${unreservable} unreserved.`,
    );
  return reserved;
}

const scaledShare = (share: number, scale: number): number => Math.max(smallestShare, Math.floor(share * scale));
