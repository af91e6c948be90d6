import type { Call, CallDetail, CallStatus, FilteredOutcome } from "@vitaline/contract";
import { formatMilliseconds } from "../../lib/format/numbers.ts";
import { formatName } from "../../lib/format/labels.ts";

export const outcomeNames: Record<FilteredOutcome, string> = {
  resolved: "Resolved",
  transferred: "Transferred to a person",
  unresolved: "Not resolved or transferred",
  abandoned: "Abandoned",
  ended: "Ended, with any outcome",
};

const ongoing: readonly CallStatus[] = ["queued", "ringing", "in_progress"];

export const outcomeBadge = ({ resolved, status }: Pick<Call, "resolved" | "status">): { name: string; variant: "subtle" | "outline" } => {
  if (resolved) return { name: "Resolved", variant: "subtle" };
  return { name: ongoing.includes(status) ? "Still in progress" : "Transferred", variant: "outline" };
};

/** What the badge of a call that was not resolved means; undefined where it says all. */
export const outcomeNote = ({
  resolved,
  forwarded,
  abandoned,
  status,
}: Pick<Call, "resolved" | "forwarded" | "abandoned" | "status">): string | undefined => {
  if (resolved || ongoing.includes(status)) return undefined;
  if (forwarded) return "transferred to a person";
  return abandoned ? "not resolved or transferred: the caller gave up or was cut off" : "not resolved, and not transferred to a person";
};

export const isLive = (status: CallStatus): boolean => ongoing.includes(status);

/** "2 tools", "None" */
export const formatToolCount = (count: number): string => {
  if (count === 0) return "None";
  return `${count} ${count === 1 ? "tool" : "tools"}`;
};

const twoDigits = (number: number): string => String(number).padStart(2, "0");

/** "1:05" or "1:02:03" */
export const formatOffset = (seconds: number): string => {
  const whole = Math.max(0, Math.floor(seconds));
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60];
  return hours > 0 ? `${hours}:${twoDigits(minutes)}:${twoDigits(whole % 60)}` : `${minutes}:${twoDigits(whole % 60)}`;
};

/** Seconds from the call's start to `at`; undefined if `at` is outside the call. */
export const offsetInCall = ({ createdAt, endedAt }: Pick<CallDetail, "createdAt" | "endedAt">, at: string): number | undefined => {
  const seconds = (Date.parse(at) - Date.parse(createdAt)) / 1000;
  const isAfterEnd = endedAt !== null && Date.parse(at) > Date.parse(endedAt);
  return seconds < 0 || isAfterEnd ? undefined : seconds;
};

/** Up to four decimals, because a call may cost fractions of a cent. */
export const formatCost = ({ amount, currency }: NonNullable<CallDetail["cost"]>): string =>
  new Intl.NumberFormat("en-US", {
    maximumFractionDigits: 4,
    ...(currency !== null && /^[A-Za-z]{3}$/.test(currency) ? { style: "currency", currency } : {}),
  }).format(amount);

/** "Manners: 4 of 5", "Booked: passed" */
export const formatScore = ({ name, score, maxScore, passed }: CallDetail["scores"][number]): string => {
  const points = score === null ? [] : [maxScore === null ? String(score) : `${score} of ${maxScore}`];
  const result = passed === null ? [] : [passed ? "passed" : "not passed"];
  return `${name}: ${[...points, ...result].join(", ") || "no result"}`;
};

/** "640 ms median, 1,200 ms at the 95th percentile" */
export const formatLatency = ({ p50Ms, p95Ms }: NonNullable<CallDetail["latency"]>): string =>
  [
    ...(p50Ms === null ? [] : [`${formatMilliseconds(p50Ms)} median`]),
    ...(p95Ms === null ? [] : [`${formatMilliseconds(p95Ms)} at the 95th percentile`]),
  ].join(", ");

const roleNames = new Map([
  ["caller", "Caller"],
  ["assistant", "Agent"],
  ["staff", "Staff"],
]);

export const speakerName = (role: string): string => roleNames.get(role) ?? formatName(role);
