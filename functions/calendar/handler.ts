import { contract } from "@vitaline/contract";
import { readCalendar } from "@vitaline/webhooks";
import { answerAs } from "../lib/reply.ts";
import { serve } from "../lib/serve.ts";

const suffix = ".ics";
/** Whoever subscribes may keep it so long, and nobody in between; the address can be ended, so not for longer. */
const maxAgeSeconds = 300;

/** RFC 9110, 13.1.2: compared weakly, as what packs an answer on the way marks its tag as weak. */
const isKnown = (etag: string, ifNoneMatch: string | undefined): boolean =>
  (ifNoneMatch ?? "").split(",").some((tag) => tag.trim() === "*" || tag.trim().replace(/^W\//, "") === etag);

/** Asked by calendars, for whoever was given the secret address. */
export const handler = serve(contract.calendar, { public: (ctx, { headers }) => ({ ...ctx, ifNoneMatch: headers["if-none-match"] }) })({
  readCalendar: async (ctx, { params }) => {
    const { text, etag } = await readCalendar(ctx, params.token.slice(0, -suffix.length));
    const headers = { etag, "cache-control": `private, max-age=${maxAgeSeconds}` };
    if (isKnown(etag, ctx.ifNoneMatch)) return answerAs(304, headers, "");
    return answerAs(200, { ...headers, "content-type": "text/calendar; charset=utf-8" }, text);
  },
});
