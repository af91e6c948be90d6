import * as z from "zod/mini";
import { Id, Instant, Nothing } from "../http/fields.ts";
import { routes } from "../http/route.ts";

/** Whether an office's calendar can be subscribed to, and since when under the current address. */
export const CalendarFeed = z.object({ isOn: z.boolean(), createdAt: z.nullable(Instant) });
export type CalendarFeed = z.infer<typeof CalendarFeed>;

/** Secret: the address grants access to the calendar; it is shown only once. */
export const CalendarFeedAddress = z.object({ url: z.url(), createdAt: Instant });
export type CalendarFeedAddress = z.infer<typeof CalendarFeedAddress>;

const OfOffice = z.object({ officeId: Id });
const path = "/api/tenant/offices/{officeId}/calendar-feed";

export const calendarFeeds = routes({
  getCalendarFeed: {
    method: "GET",
    path,
    auth: "tenant_admin",
    summary: "Whether an office has a calendar feed",
    params: OfOffice,
    response: CalendarFeed,
  },
  renewCalendarFeed: {
    method: "POST",
    path,
    auth: "tenant_admin",
    summary: "Create the secret address of an office's calendar, shown once; the previous one stops working",
    status: 201,
    noStore: true,
    params: OfOffice,
    response: CalendarFeedAddress,
  },
  endCalendarFeed: {
    method: "DELETE",
    path,
    auth: "tenant_admin",
    summary: "Delete the secret address of an office's calendar",
    status: 204,
    params: OfOffice,
    response: Nothing,
  },
});

export const calendar = routes({
  readCalendar: {
    method: "GET",
    path: "/api/calendar/{token}",
    auth: "public",
    summary: "An office's appointments as iCalendar (RFC 5545), without patient data, for anyone with the secret address",
    /** 32 random bytes in base64url and ".ics". */
    params: z.object({ token: z.string().check(z.regex(/^[\w-]{43}\.ics$/)) }),
    response: z.unknown(),
  },
});
