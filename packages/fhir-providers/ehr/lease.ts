import { randomUUID } from "node:crypto";
import { errorFields } from "@vitaline/core";
import { ehrError, type InFlight, singleFlight } from "@vitaline/fhir";
import { endLease, type LeasedRow, takeLease, update } from "@vitaline/store";
import type { PlatformKey } from "@vitaline/store/keys.ts";
import type { PlatformContext } from "@vitaline/store/platform.ts";

/**
 * A caller's run lasts no longer than this. Where a probe with more time takes longer, somebody else may ask too; but who dies with
 * a lease keeps callers waiting no longer.
 */
const mostMakingMs = 8000;
/** What was made is stored also when the deadline has just passed. */
const storingMs = 3000;
const pollMs = 150;
const rowSeconds = 86_400;
const mostHeld = 5000;

/** Something an EHR gave, the connection that it was given for, and until when it serves. */
export type Held<V> = { value: V; issuedFor: string; untilMs: number };
/** What one function instance knows: by the place of the row, and by place and connection. */
export type Memory<V> = { held: Map<string, Held<V>>; flights: InFlight<V> };
export const emptyMemory = <V>(): Memory<V> => ({ held: new Map(), flights: new Map() });

/** What is shared, and how it is read from its row, made anew, and written there. */
export type Shared<V, Row extends LeasedRow> = {
  memory: Memory<V>;
  key: PlatformKey<Row>;
  issuedFor: string;
  open(row: Row): Promise<Held<V> | undefined>;
  make(signal: AbortSignal | undefined): Promise<Held<V>>;
  close(held: Held<V>): Promise<Partial<Row>>;
};

/** `isRefused` knows the values that the EHR no longer takes; `seen` is the row as it was read before, null where there was none. */
export type Asked<V, Row> = {
  isRefused?: ((value: V) => boolean) | undefined;
  seen?: Row | null | undefined;
  signal?: AbortSignal | undefined;
};

/**
 * What an EHR gave: from memory, else from its row, else from the EHR itself; of all function instances one asks at a time.
 * AppError `ehr_timeout` when the signal ends first.
 */
export async function shared<V, Row extends LeasedRow>(
  ctx: PlatformContext,
  what: Shared<V, Row>,
  { isRefused = () => false, seen, signal }: Asked<V, Row> = {},
): Promise<V> {
  const { memory, issuedFor } = what;
  const place = placeOf(what.key);
  const known = memory.held.get(place);
  if (known && known.issuedFor === issuedFor && !isRefused(known.value) && isFresh(ctx, known)) return known.value;

  const fetch = async (): Promise<V> => {
    const held = await obtain(ctx, what, { isRefused, seen, signal });
    keep(memory, place, held);
    return held.value;
  };
  return singleFlight(memory.flights, `${place}/${issuedFor}`, { ctx, signal }, fetch, (value) => !isRefused(value));
}

/** What this instance knows without asking, whatever it was given for. */
export const heldHere = <V>(ctx: PlatformContext, { held }: Memory<V>, key: PlatformKey<unknown>): Held<V> | undefined => {
  const known = held.get(placeOf(key));
  return known && isFresh(ctx, known) ? known : undefined;
};

/** Takes what somebody has just been given for what was known before, here and in its row. */
export async function replaceShared<V, Row extends LeasedRow>(ctx: PlatformContext, what: Shared<V, Row>, held: Held<V>): Promise<void> {
  keep(what.memory, placeOf(what.key), held);
  await ctx.platform.note(update<LeasedRow>(what.key, { set: { ...(await what.close(held)), expiresAt: expiryOf(ctx) } }));
}

const placeOf = ({ at: { pk, sk } }: PlatformKey<unknown>): string => `${pk}/${sk}`;

function keep<V>({ held: map }: Memory<V>, place: string, held: Held<V>): void {
  if (map.size >= mostHeld) map.clear();
  map.set(place, held);
}

const isFresh = (ctx: PlatformContext, { untilMs }: Held<unknown>): boolean => untilMs > ctx.clock().getTime();
const expiryOf = (ctx: PlatformContext): number => Math.floor(ctx.clock().getTime() / 1000) + rowSeconds;

async function obtain<V, Row extends LeasedRow>(
  ctx: PlatformContext,
  what: Shared<V, Row>,
  { isRefused, seen, signal }: Asked<V, Row>,
): Promise<Held<V>> {
  const { key } = what;
  const owner = randomUUID();
  for (let row = seen === undefined ? await ctx.platform.get(key) : seen; ; row = await ctx.platform.get(key)) {
    const there = await openFresh(ctx, what, row ?? undefined, isRefused);
    if (there) return there;
    const nowMs = ctx.clock().getTime();
    // As long as whoever makes it may take: another who takes over then is the only one.
    const leaseMs = Math.min(ctx.deadline.remainingMs(), mostMakingMs) + storingMs;
    const leased = await takeLease(ctx.platform, key, { owner, nowMs, lifeMs: leaseMs, set: { expiresAt: expiryOf(ctx) } });
    if (leased) {
      const meanwhile = await openFresh(ctx, what, leased, isRefused);
      return renew(ctx, what, owner, { meanwhile, signal });
    }
    if (ctx.deadline.remainingMs() <= pollMs) throw ehrError("ehr_timeout");
    await ctx.pause(pollMs, signal).catch((cause: unknown) => {
      throw ehrError("ehr_timeout", { cause });
    });
  }
}

/** What the row holds, if it still serves. */
async function openFresh<V, Row extends LeasedRow>(
  ctx: PlatformContext,
  { open, issuedFor }: Shared<V, Row>,
  row: Row | undefined,
  isRefused: Asked<V, Row>["isRefused"],
): Promise<Held<V> | undefined> {
  const held = row && (await open(row));
  return held && held.issuedFor === issuedFor && !isRefused?.(held.value) && isFresh(ctx, held) ? held : undefined;
}

/** Under the lease: asks the EHR, unless somebody else did a moment ago, shares what it gave, and ends the lease. */
async function renew<V, Row extends LeasedRow>(
  ctx: PlatformContext,
  { key, make, close }: Shared<V, Row>,
  owner: string,
  { meanwhile, signal }: { meanwhile: Held<V> | undefined; signal: AbortSignal | undefined },
): Promise<Held<V>> {
  try {
    const held = meanwhile ?? (await make(signal));
    // What cannot be shared still serves here.
    await close(held)
      .then((made) => endLease(ctx.platform, key, owner, made))
      .catch((error: unknown) => ctx.log("warn", "ehr.not_shared", errorFields(error)));
    return held;
  } catch (error) {
    await endLease(ctx.platform, key, owner).catch(() => ctx.log("warn", "ehr.lease_not_ended"));
    throw error;
  }
}
