import type { RoutingCount, RoutingOutcome, RoutingReason } from "@vitaline/contract";
import { formatCount } from "../../../lib/format/numbers.ts";

export const reasonNames: Record<RoutingReason, string> = {
  appointment: "Appointment",
  prescription: "Prescription",
  clinical: "Clinical question",
  billing: "Billing",
  insurance: "Insurance",
  records: "Medical records",
  new_patient: "New patient",
  emergency: "Emergency",
  person: "Asked for a person",
  other: "Other",
};

const outcomeNames: Record<RoutingOutcome, string> = {
  transferred: "transferred",
  callback: "to be called back",
  voicemail: "left a voicemail",
  resolved: "resolved after all",
  emergency: "sent to emergency services",
  other: "something else",
};

export type RoutedReason = {
  reason: RoutingReason;
  count: number;
  /** "3 transferred, 1 left a voicemail" */
  outcomes: string;
};

/** Sums the counts by reason, most frequent first. */
export const groupByReason = (counts: readonly RoutingCount[]): RoutedReason[] =>
  [...Map.groupBy(counts, ({ reason }) => reason)]
    .map(([reason, ofIt]) => ({
      reason,
      count: ofIt.reduce((sum, { count }) => sum + count, 0),
      outcomes: ofIt
        .toSorted((one, other) => other.count - one.count)
        .map(({ outcome, count }) => `${formatCount(count)} ${outcomeNames[outcome]}`)
        .join(", "),
    }))
    .toSorted((one, other) => other.count - one.count || one.reason.localeCompare(other.reason));
