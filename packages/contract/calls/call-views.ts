import * as z from "zod/mini";
import { Id, line } from "../http/fields.ts";
import { routes } from "../http/route.ts";
import { CallResult, CallStatus, FilteredOutcome } from "./calls.ts";
import { RoutingReason } from "./routing.ts";

const maxViews = 20;
const maxDays = 366;

/** A period that moves with today, or fixed days; all absent: any time. */
const Period = {
  yesterday: z.optional(z.literal(true)),
  lastDays: z.optional(z.number().check(z.int(), z.gte(1), z.lte(maxDays))),
  from: z.optional(z.iso.date()),
  to: z.optional(z.iso.date()),
};

export const ViewName = line(60, "Name the view");

export const CallView = z.strictObject({
  name: ViewName,
  ...Period,
  status: z.optional(CallStatus),
  outcome: z.optional(FilteredOutcome),
  intent: z.optional(RoutingReason),
  loggedReason: z.optional(RoutingReason),
  result: z.optional(CallResult),
  tool: z.optional(line(64)),
  failedTool: z.optional(line(64)),
  agentId: z.optional(line(200)),
  officeId: z.optional(Id),
  needsFollowUp: z.optional(z.literal(true)),
  toolFailed: z.optional(z.literal(true)),
  withoutTests: z.optional(z.literal(true)),
  q: z.optional(line(100)),
});
export type CallView = z.infer<typeof CallView>;

/** In the user's order. `version` is for If-Match. */
export const CallViews = z.object({ views: z.array(CallView), version: z.number() });
export type CallViews = z.infer<typeof CallViews>;

const sameName = (views: readonly { name: string }[]): boolean => new Set(views.map(({ name }) => name.toLowerCase())).size < views.length;

export const callViews = routes({
  readCallViews: {
    method: "GET",
    path: "/api/tenant/call-views",
    auth: "tenant_admin",
    summary: "The user's own saved filters for the list of calls",
    response: CallViews,
  },
  saveCallViews: {
    method: "PUT",
    path: "/api/tenant/call-views",
    auth: "tenant_admin",
    summary: "Replace the user's own saved filters",
    body: z.strictObject({
      views: z.array(CallView).check(
        z.maxLength(maxViews, `At most ${maxViews} views can be saved`),
        z.refine((views) => !sameName(views), "Another view has this name"),
      ),
    }),
    response: CallViews,
  },
});
