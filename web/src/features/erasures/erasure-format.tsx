import { type ErasedCounts, type Erasure, type ErasureKind, ErasureReason, type ErasureStatus, erasureWaitDays } from "@vitaline/contract";
import { Badge } from "@chakra-ui/react/badge";

export const kindNames: Record<ErasureKind, string> = { call: "One call", patient: "A patient's data", tenant: "Whole organization" };

/** As in "The erasure of {text}" */
export const kindPhrases: Record<ErasureKind, string> = { call: "one call", patient: "a patient's data", tenant: "a whole organization" };

export const reasonNames: Record<ErasureReason, string> = {
  contract_ended: "Contract ended",
  patient_request: "Patient's request",
  recorded_in_error: "Recorded in error",
  legal_order: "Legal order",
  other: "Other",
};
export const reasonChoices = ErasureReason.options.map((value) => ({ value, label: reasonNames[value] }));

const statuses = {
  waiting: { name: "Waiting", colorPalette: "orange" },
  exporting: { name: "Writing a copy", colorPalette: "blue" },
  erasing: { name: "Erasing", colorPalette: "red" },
  done: { name: "Done", colorPalette: "green" },
  cancelled: { name: "Canceled", colorPalette: "gray" },
} as const satisfies Record<ErasureStatus, object>;

export const isWaiting = ({ status }: Pick<Erasure, "status">): boolean => status === "waiting";

export const isOpen = ({ status }: Pick<Erasure, "status">): boolean => status !== "done" && status !== "cancelled";

/** Approved, or past its waiting period: the platform starts it within a minute. */
export const isDue = ({ status, approvedAt, startsAt }: Erasure, now: number): boolean =>
  status === "waiting" && (approvedAt !== null || Date.parse(startsAt) <= now);

/** Changes without user action, within seconds or minutes. */
export const isInProgress = (erasure: Erasure, now: number): boolean =>
  erasure.status === "exporting" || erasure.status === "erasing" || isDue(erasure, now);

export const isCopyExpired = ({ copy }: Erasure, now: number): boolean => copy === null || Date.parse(copy.expiresAt) <= now;

/** "1 day", "30 days" */
export const formatDays = (days: number): string => `${days} ${days === 1 ? "day" : "days"}`;

export const formatWait = (kind: ErasureKind): string => formatDays(erasureWaitDays[kind]);

const deletedAccount = "Deleted account";

export const personName = (id: string, name: string | null, ownId: string | undefined): string =>
  id === ownId ? "You" : (name ?? deletedAccount);

const names: Record<keyof ErasedCounts, string> = {
  calls: "Calls",
  toolRuns: "Tool runs",
  files: "Files of conversations",
  leads: "Leads",
  tasks: "Tasks",
  messages: "Messages",
  users: "Accounts",
  others: "Other records",
};
const kinds = Object.keys(names) as (keyof ErasedCounts)[];

export const totalCount = (counts: ErasedCounts): number => kinds.reduce((sum, kind) => sum + counts[kind], 0);

export const namedCounts = (counts: ErasedCounts): [name: string, count: number][] =>
  kinds.filter((kind) => counts[kind] > 0).map((kind) => [names[kind], counts[kind]]);

export const ErasureBadge = ({ status }: { status: ErasureStatus }) => (
  <Badge colorPalette={statuses[status].colorPalette} flexShrink="0">
    {statuses[status].name}
  </Badge>
);
