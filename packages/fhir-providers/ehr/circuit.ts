import { sha256In, errorFields } from "@vitaline/core";
import { type Circuit, openCircuitError } from "@vitaline/fhir";
import { type FhirCircuitRow, keys, put } from "@vitaline/store";
import type { EhrRegistryContext } from "@vitaline/store/scoped.ts";

/** The circuit of an origin opens when so many requests failed in this window and the one before, and at least this share. */
const windowMs = 30_000;
const fewestFailures = 5;
const failedShare = 0.5;
/** From this many failures, answered requests are shared too: the share of failures needs both. */
const countedFrom = 3;
/** Then one request may try after this time, and after twice the time when it failed too; others wait for its result. */
const openMs = 10_000;
const longestOpenMs = 60_000;
/** As long as a request may take. */
const trialMs = 6000;
/** Of this instance, for all connections. The result of a trial is written at once, instead of what the next second could write. */
const writeEveryMs = 1000;
/** A row that was read this soon after our own write may be older than it, and is ignored. */
const readMs = 250;
const rowSeconds = 86_400;
const maxKnown = 5000;

type Numbers = Record<string, number>;

/**
 * `known`: the row as last read or written. `unsent`, `unsentStates`: counts and states that this instance has not written yet; a state
 * without `until` closes the circuit that the row has open until `rowUntil`. `trying`: origins that its request tries, and the `until` with
 * which it took them; a try without a result is over when another instance has taken the origin.
 */
type Local = {
  known: Numbers;
  unsent: Numbers;
  unsentStates: Map<string, { until?: number; failedTrials?: number; rowUntil?: number | undefined }>;
  trying: Map<string, number>;
  writtenAtMs: number;
  /** The latest `closedAtMs` of the row that this instance has followed. */
  closedAtMs: number;
};

const locals = new Map<string, Local>();
let lastWriteMs = Number.NEGATIVE_INFINITY;

const mayWrite = (nowMs: number): boolean => nowMs < lastWriteMs - writeEveryMs || nowMs - lastWriteMs >= writeEveryMs;

function localOf(providerId: string): Local {
  const known = locals.get(providerId);
  if (known) return known;
  if (locals.size >= maxKnown) locals.clear();
  const made = {
    known: {},
    unsent: {},
    unsentStates: new Map(),
    trying: new Map<string, number>(),
    writtenAtMs: Number.NEGATIVE_INFINITY,
    closedAtMs: 0,
  };
  locals.set(providerId, made);
  return made;
}

const tagOf = (origin: string): string => sha256In("origin", origin).slice(0, 8);
const isCount = (name: string): boolean => /^(?:failed|answered)_/.test(name);
const tagIn = (name: string): string => name.split("_")[1] ?? "";
const windowOf = (name: string): number => Number(name.slice(name.lastIndexOf("_") + 1));

/**
 * The circuits of one connection, for each origin that it sends requests to. What instances count is shared through a row that openEhr reads
 * together with the connection's (`row`: null if absent); an instance writes it at most once a second, and only while requests fail.
 */
export function circuitOf(ctx: EhrRegistryContext, providerId: string, row: FhirCircuitRow | null | undefined): Circuit {
  const local = localOf(providerId);
  const key = keys.fhirCircuit(providerId);
  const now = (): number => ctx.clock().getTime();
  const closedAtMs = row?.closedAtMs ?? 0;
  const isNewlyClosed = closedAtMs > local.closedAtMs;
  if (isNewlyClosed) {
    local.closedAtMs = closedAtMs;
    local.unsent = {};
    local.unsentStates.clear();
    local.trying.clear();
  }
  if (row !== undefined && (isNewlyClosed || Math.abs(now() - local.writtenAtMs) >= readMs)) {
    local.known = numbersOf(row);
    for (const [tag, { until, rowUntil }] of local.unsentStates)
      if (until === undefined && local.known[`until_${tag}`] !== rowUntil) local.unsentStates.delete(tag);
  }

  const untilOf = (tag: string): number | undefined => (local.unsentStates.get(tag) ?? { until: local.known[`until_${tag}`] }).until;
  const sumOf = (kind: "failed" | "answered", tag: string, window: number): number =>
    [window, window - 1].reduce((sum, at) => {
      const name = `${kind}_${tag}_${at}`;
      return sum + (local.known[name] ?? 0) + (local.unsent[name] ?? 0);
    }, 0);

  const write = async (set: Numbers, add: Numbers, remove: string[], equals?: Numbers): Promise<Numbers | undefined> => {
    const nowMs = now();
    lastWriteMs = mayWrite(nowMs) ? nowMs : Math.min(lastWriteMs, nowMs) + writeEveryMs;
    local.writtenAtMs = nowMs;
    const change = { set: { ...set, expiresAt: Math.floor(nowMs / 1000) + rowSeconds }, add, remove };
    const written = await ctx.platform.writeUnaudited<FhirCircuitRow>({
      verb: "update",
      key,
      change,
      ...(equals ? { when: { equals } } : {}),
    });
    if (written) local.known = numbersOf(written);
    return written && local.known;
  };

  /** Writes the pending changes once a second, or at once for a trial's result: other instances wait for it. A failure is only logged. */
  const share = async (isTrialResult = false): Promise<void> => {
    const window = Math.floor(now() / windowMs);
    for (const name of Object.keys(local.unsent)) if (windowOf(name) < window - 1) delete local.unsent[name];
    if (!(isTrialResult || mayWrite(now())) || (local.unsentStates.size === 0 && Object.keys(local.unsent).length === 0)) return;
    const ended = [...local.unsentStates].flatMap(([tag, { until }]) => (until === undefined ? [tag] : []));
    const set: Numbers = Object.assign(
      {},
      ...[...local.unsentStates].map(([tag, { until, failedTrials = 0 }]) =>
        until === undefined ? {} : { [`until_${tag}`]: until, [`trials_${tag}`]: failedTrials },
      ),
    );
    const add = local.unsent;
    const isOver = (name: string): boolean =>
      isCount(name) && add[name] === undefined && (windowOf(name) < window - 1 || ended.includes(tagIn(name)));
    const remove = [...ended.flatMap((tag) => [`until_${tag}`, `trials_${tag}`]), ...Object.keys(local.known).filter(isOver)];
    local.known = withChange(local.known, { set, add, remove });
    local.unsent = {};
    local.unsentStates = new Map();
    await write(set, add, remove).catch((error: unknown) => ctx.log("warn", "ehr.circuit_not_shared", errorFields(error)));
  };

  const isTrying = (tag: string): boolean => {
    const until = local.trying.get(tag);
    return until !== undefined && (now() < until || local.known[`until_${tag}`] === until);
  };

  const refuse = (tag: string): void => {
    const waitMs = (untilOf(tag) ?? 0) - now();
    if (waitMs > 0) throw openCircuitError(waitMs);
  };

  /** Only one request of all instances moves `until` on, and may try the server. */
  const take = async (tag: string, until: number): Promise<void> => {
    if (!mayWrite(now())) throw openCircuitError(writeEveryMs);
    const next = now() + trialMs;
    const isStored = !local.unsentStates.has(tag);
    local.unsentStates.delete(tag);
    local.known[`until_${tag}`] = next;
    local.trying.set(tag, next);
    try {
      if (await write({ [`until_${tag}`]: next }, {}, [], isStored ? { [`until_${tag}`]: until } : undefined)) return;
      local.trying.delete(tag);
      local.known = numbersOf(await ctx.platform.get(key));
    } catch (error) {
      return ctx.log("warn", "ehr.circuit_not_shared", errorFields(error));
    }
    if (untilOf(tag) !== undefined) throw openCircuitError(trialMs);
  };

  const open = (tag: string, event: string, forMs: number, failedTrials = 0): void => {
    local.trying.delete(tag);
    local.unsentStates.set(tag, { until: now() + forMs, failedTrials });
    ctx.log("warn", event, { providerId, delayMs: Math.round(forMs), count: 1 });
  };

  return {
    check: (origin) => refuse(tagOf(origin)),
    async enter(origin) {
      const tag = tagOf(origin);
      refuse(tag);
      const until = untilOf(tag);
      if (until !== undefined) await take(tag, until);
      else if (sumOf("failed", tag, Math.floor(now() / windowMs)) >= countedFrom) await share();
    },
    async note(origin, outcome) {
      const tag = tagOf(origin);
      const window = Math.floor(now() / windowMs);
      if (outcome.kind === "told_to_wait") {
        open(tag, "ehr.told_to_wait", outcome.ms);
        return share();
      }
      const counter = `${outcome.kind}_${tag}_${window}`;
      local.unsent[counter] = (local.unsent[counter] ?? 0) + 1;
      const failures = sumOf("failed", tag, window);
      const wasTrial = isTrying(tag);
      local.trying.delete(tag);
      if (outcome.kind === "answered") {
        if (wasTrial) {
          local.unsentStates.set(tag, { rowUntil: local.known[`until_${tag}`] });
          for (const name of Object.keys(local.unsent)) if (tagIn(name) === tag) delete local.unsent[name];
          ctx.log("info", "ehr.circuit_closed", { providerId });
          return share(true);
        }
        return failures >= countedFrom || local.unsentStates.size > 0 ? share() : undefined;
      }
      const isMany = failures >= fewestFailures && failures >= failedShare * (failures + sumOf("answered", tag, window));
      const failedTrials = wasTrial ? (local.known[`trials_${tag}`] ?? 0) + 1 : 0;
      if (failedTrials > 0 || (isMany && untilOf(tag) === undefined))
        open(tag, "ehr.circuit_opened", Math.min(longestOpenMs, openMs * 2 ** failedTrials), failedTrials);
      return share(wasTrial);
    },
  };
}

/** After a test that the connection passed: all instances send requests again. One write. */
export async function closeCircuits(ctx: EhrRegistryContext, providerId: string): Promise<void> {
  locals.delete(providerId);
  const closedAtMs = ctx.clock().getTime();
  const row: FhirCircuitRow = { closedAtMs, expiresAt: Math.floor(closedAtMs / 1000) + rowSeconds };
  await ctx.platform.writeUnaudited(put(keys.fhirCircuit(providerId), row));
}

const numbersOf = (row: FhirCircuitRow | null | undefined): Numbers => ({ ...row });

function withChange(known: Numbers, { set, add, remove }: { set: Numbers; add: Numbers; remove: string[] }): Numbers {
  const changed = { ...known, ...set };
  for (const [name, by] of Object.entries(add)) changed[name] = (changed[name] ?? 0) + by;
  for (const name of remove) delete changed[name];
  return changed;
}
