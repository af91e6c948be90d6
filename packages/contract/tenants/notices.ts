import * as z from "zod/mini";
import { routes } from "../http/route.ts";
import { ClockTime } from "./business-hours.ts";

const Hours = z.object({ from: ClockTime, to: ClockTime });
/** Hours that end when they begin could be none or the whole day. */
const notEmpty = z.refine<z.infer<typeof Hours>>(({ from, to }) => from !== to, {
  path: ["to"],
  error: "Must not be the time of the start",
});

/** The mails to one person about the list of work. Times are in the organization's zone. */
export const Notices = z.object({
  /** How much is open, each day at `dailyAt`; no mail when nothing is. */
  daily: z.boolean(),
  dailyAt: ClockTime,
  /** Each emergency within minutes; in quiet hours only when they have ended, unless it is done by then. */
  emergencies: z.boolean(),
  quiet: z.nullable(Hours),
  version: z.number(),
});
export type Notices = z.infer<typeof Notices>;

export const ChangedNotices = z.strictObject({
  daily: z.boolean(),
  dailyAt: ClockTime,
  emergencies: z.boolean(),
  quiet: z.nullable(Hours.check(notEmpty)),
});
export type ChangedNotices = z.infer<typeof ChangedNotices>;

export const notices = routes({
  readNotices: {
    method: "GET",
    path: "/api/tenant/notices",
    auth: "tenant_admin",
    summary: "What the user is told by mail of the list of work",
    response: Notices,
  },
  changeNotices: {
    method: "PUT",
    path: "/api/tenant/notices",
    auth: "tenant_admin",
    summary: "Choose what to be told by mail: each day, of emergencies, and no emergencies in quiet hours",
    body: ChangedNotices,
    response: Notices,
  },
});
