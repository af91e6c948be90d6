import { contract } from "@vitaline/contract";
import { readCalendar } from "@vitaline/webhooks";
import { serve } from "../lib/api/serve.ts";
import { answerAs } from "../lib/http/response.ts";

const suffix = ".ics";
const maxAgeSeconds = 300;

/** Weak comparison (RFC 9110, 13.1.2), because compression marks the tag as weak. */
const isKnown = (etag: string, ifNoneMatch: string | undefined): boolean =>
  (ifNoneMatch ?? "").split(",").some((tag) => tag.trim() === "*" || tag.trim().replace(/^W\//, "") === etag);

/** Calendar subscriptions; the token in the path is the credential. */
export const handler = serve(contract.calendar, { public: (ctx, { headers }) => ({ ...ctx, ifNoneMatch: headers["if-none-match"] }) }, [
  "directory",
])({
  readCalendar: async (ctx, { params }) => {
    const { text, etag } = await readCalendar(ctx, params.token.slice(0, -suffix.length));
    const headers = { etag, "cache-control": `private, max-age=${maxAgeSeconds}` };
    if (isKnown(etag, ctx.ifNoneMatch)) return answerAs(304, headers, "");
    return answerAs(200, { ...headers, "content-type": "text/calendar; charset=utf-8" }, text);
  },
});
