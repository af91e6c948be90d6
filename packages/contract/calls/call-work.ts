import * as z from "zod/mini";
import { Id, Instant, line, optionalLine } from "../http/fields.ts";
import { routes } from "../http/route.ts";
import { CallId, ListedCall } from "./calls.ts";

const cursor = z.optional(z.string().check(z.maxLength(2048)));
const isNumber = (text: string): boolean => text.replaceAll(/\D/g, "").length >= 7;

export const SearchedNumber = line(40, "Enter a phone number").check(z.refine(isNumber, "Must be a phone number"));
export const SearchedWords = line(100, "Enter words of the summary");

/** All kept calls with a number, newest first. */
const NumberSearch = z.strictObject({
  by: z.literal("number"),
  number: SearchedNumber,
  cursor,
});

/** The calls of a period whose summary has all the words. A request reads a few calls; `cursor` goes on. */
const SummarySearch = z
  .strictObject({
    by: z.literal("summary"),
    text: SearchedWords,
    from: Instant,
    to: Instant,
    officeId: z.optional(Id),
    /** Only answers `total`. */
    onlyCount: z.optional(z.boolean()),
    cursor,
  })
  .check(z.refine(({ from, to }) => from <= to, { path: ["to"], error: "Must not be before the first day" }));

export const CallSearchRequest = z.discriminatedUnion("by", [NumberSearch, SummarySearch]);
export type CallSearchRequest = z.output<typeof CallSearchRequest>;

/** `excerpt`: the words in the summary and what stands around them. */
const FoundCall = z.object({ call: ListedCall, excerpt: z.nullable(z.string()) });
export type FoundCall = z.infer<typeof FoundCall>;

/** `read`: the calls that this request went through. `total`: about how many calls the period has; null by number, and with a cursor. */
export const CallSearchAnswer = z.object({
  found: z.array(FoundCall),
  read: z.number(),
  total: z.nullable(z.number()),
  next: z.nullable(z.string()),
});
export type CallSearchAnswer = z.infer<typeof CallSearchAnswer>;

export const maxFollowUps = 50;

/** `call` is null where it could not be marked; `code` says why. */
const FollowUpResult = z.object({ id: CallId, call: z.nullable(ListedCall), code: z.nullable(z.enum(["not_found", "stale_version"])) });
export type FollowUpResult = z.infer<typeof FollowUpResult>;

export const callWork = routes({
  searchCalls: {
    method: "POST",
    path: "/api/tenant/calls/search",
    auth: "tenant_admin",
    summary: "Find calls by phone number, or by words of their summaries in a period; each found call is audited",
    noStore: true,
    body: CallSearchRequest,
    response: CallSearchAnswer,
  },
  followUpCalls: {
    method: "POST",
    path: "/api/tenant/calls/follow-up",
    auth: "tenant_admin",
    summary: "Mark calls as followed up with one note, each if it still has the version that the user has seen; each is audited",
    noStore: true,
    body: z.strictObject({
      calls: z
        .array(z.strictObject({ id: CallId, version: z.number().check(z.int(), z.gte(1)) }))
        .check(z.minLength(1), z.maxLength(maxFollowUps)),
      note: optionalLine(500),
    }),
    response: z.array(FollowUpResult),
  },
});
