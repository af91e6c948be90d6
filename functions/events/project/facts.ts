import { countsOfCall, countsOfToolRun, dayRow, totalRow, type CallOfToolRuns, type CountedCall, type Counts } from "@vitaline/calls";
import { Call, CallStatus } from "@vitaline/contract";
import type { ToolRunRow } from "@vitaline/store";
import * as z from "zod/mini";
import type { StreamRecord } from "./event.ts";
import { sourceOf } from "./source.ts";
import { unmarshall } from "./unmarshall.ts";

/** What a change adds to one row of totals: of a tenant, or of the platform when there is none. */
export type Addition = { tenantId?: string; row: string; counts: Counts };
export type ToolRun = { tenantId: string; run: ToolRunRow; call: CallOfToolRuns };
export type Facts = { additions: Addition[]; toolRun?: ToolRun };
/** A record's place in its shard, and what it says. */
export type Understood = { position: string; facts: Facts };

const instant = z.iso.datetime();

const CountedRow = z.object({
  startedAt: instant,
  status: CallStatus,
  forwarded: z.boolean(),
  success: z.optional(z.boolean()),
  durationSeconds: z.optional(z.number()),
  countedAt: z.optional(instant),
});

/** The audit row of a tool run, or of what was found out of one later. The tool's name becomes part of an attribute's name, so it must be a word. */
const RunAudit = z.object({
  id: z.string(),
  at: instant,
  action: z.string(),
  success: z.boolean(),
  code: z.optional(z.string()),
  requestId: z.string(),
  callKey: z.optional(z.string()),
  detail: z.object({
    tool: z.string().check(z.regex(/^\w{1,64}$/)),
    ms: z.number(),
    platform: Call.shape.platform,
    booked: z.optional(z.boolean()),
    officeId: z.optional(z.string()),
  }),
});

type Image = Record<string, unknown>;
const none: Facts = { additions: [] };

/**
 * What a change of a row adds to the totals. Rows that can change (calls, the directories) add the difference between
 * what they counted before and what they count now, so a late word about a call corrects the totals by itself. An audit
 * row adds once, when it appears; a call that is deleted, or an audit row that expires, has still happened.
 * Throws when a row is not what its key says.
 */
export function factsOf({ eventName, dynamodb: { Keys, OldImage, NewImage } }: StreamRecord): Facts {
  const source = sourceOf(Keys.pk.S, Keys.sk.S);
  if (!source) return none;
  const before = OldImage && unmarshall(OldImage);
  const after = NewImage && unmarshall(NewImage);
  switch (source.entity) {
    case "call":
      return after
        ? { additions: [...(before ? negative(additionsOfCall(source.tenantId, before)) : []), ...additionsOfCall(source.tenantId, after)] }
        : none;
    case "audit":
      return after && eventName === "INSERT" ? factsOfAudit(source.tenantId, after) : none;
    case "user":
      return onPlatform(countsOfUser, before, after);
    case "tenant":
      return onPlatform(countsOfTenant, before, after);
  }
}

const countsOfUser = (): Counts => ({ totalUsers: 1 });
const countsOfTenant = (tenant: Image): Counts => ({ totalTenants: 1, activeTenants: Number(tenant["isActive"] === true) });

const onPlatform = (count: (row: Image) => Counts, before: Image | undefined, after: Image | undefined): Facts => ({
  additions: [
    ...(before ? negative([{ row: totalRow, counts: count(before) }]) : []),
    ...(after ? [{ row: totalRow, counts: count(after) }] : []),
  ],
});

const negative = (additions: Addition[]): Addition[] =>
  additions.map(({ counts, ...where }) => ({
    ...where,
    counts: Object.fromEntries(Object.entries(counts).map(([name, value]) => [name, -value])),
  }));

const additionsOfCall = (tenantId: string, image: Image): Addition[] => {
  if (image["countedAt"] === undefined) return [];
  const call: CountedCall & { startedAt: string } = z.parse(CountedRow, image);
  const counts = countsOfCall(call);
  const { totalCalls = 0, successfulCalls = 0 } = counts;
  return [
    { tenantId, row: totalRow, counts },
    { tenantId, row: dayRow(call.startedAt), counts },
    { row: totalRow, counts: { totalCalls, successfulCalls } },
  ];
};

const factsOfAudit = (tenantId: string, image: Image): Facts => {
  if (!String(image["action"]).startsWith("tool.")) return none;
  const { id, at, action, success, code, requestId, callKey, detail } = z.parse(RunAudit, image);
  const { tool, ms, platform, officeId, booked = false } = detail;
  const run = countsOfToolRun({ tool, success, booked });
  const { revenueEvents = 0 } = run;
  // A run of unknown outcome was counted when it ended; settling it later adds only what it has booked.
  const isRun = action === `tool.${tool}`;
  const counts = isRun ? run : { revenueEvents };
  return {
    additions: [
      { tenantId, row: totalRow, counts },
      { tenantId, row: dayRow(at), counts },
      { row: totalRow, counts: { revenueEvents } },
    ],
    toolRun:
      callKey === undefined || !isRun
        ? undefined
        : {
            tenantId,
            run: { id, tool, at, ms, success, code, requestId, callKey },
            call: { callKey, platform, officeId, firstRunAt: at, tools: [tool] },
          },
  };
};
