import type { Usage } from "@vitaline/contract";
import { formatCount, formatDollars } from "../../lib/format/numbers.ts";

const monthAndYear = new Intl.DateTimeFormat("en-US", { month: "long", year: "numeric", timeZone: "UTC" });

/** "November 2026, days in UTC" of `2026-11`: minutes are counted by UTC days. */
export const nameOfMonth = (month: string): string => `${monthAndYear.format(new Date(`${month}-01T00:00:00Z`))}, days in UTC`;

/** What goes beyond the plan, and its price; "" while nothing does. */
export const overageOf = ({ overageMinutes, overageCharge, overageRate }: Usage): string =>
  overageMinutes === null || overageCharge === null || overageMinutes <= 0
    ? ""
    : `${formatCount(overageMinutes)} ${overageMinutes === 1 ? "minute" : "minutes"} over the plan: ${formatDollars(overageCharge)} at ${formatDollars(overageRate)} a minute.`;
