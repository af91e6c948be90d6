import type { AuditLog } from "@vitaline/contract";
import ScrollText from "lucide-react/dist/esm/icons/scroll-text.mjs";
import { chakra } from "@chakra-ui/react/styled-system";
import { Text } from "@chakra-ui/react/text";
import { VisuallyHidden } from "@chakra-ui/react/visually-hidden";
import { Badge } from "@chakra-ui/react/badge";
import type { LoadedPages } from "../../../lib/api/use-pages.ts";
import { type Column, DataTable } from "../../../components/table/data-table.tsx";
import { Empty } from "../../../components/feedback/empty.tsx";
import { LoadMore } from "../../../components/table/load-more.tsx";
import { Loadable, RowSkeletons } from "../../../components/feedback/loadable.tsx";
import { BreakableName, Moment } from "../../../components/data/text.tsx";
import { actorKindNames } from "./audit-format.ts";

/** Ids and codes, which matter less than what they stand for. */
const Small = ({ children }: { children: string }) => (
  <Text className="small" textStyle="xs" color="fg.muted" overflowWrap="anywhere">
    <BreakableName name={children} />
  </Text>
);

/** Whether an act came about. */
export const SuccessBadge = ({ success }: { success: boolean }) => (
  <Badge colorPalette={success ? "green" : "red"}>{success ? "Success" : "Failed"}</Badge>
);

const cell = (title: string): string => `& tbody tr td[data-title="${title}"]`;

/** Where rows are cards, an event is two lines: what was done and whether it went well, then who, whom it concerns, and when. The rest is in its dialog. */
const asTwoLines = {
  "& tbody[role=rowgroup]": { display: "block" },
  "& tbody tr[role=row]": {
    display: "grid",
    columnGap: "4",
    gridTemplateColumns: { base: "minmax(0, 1fr) auto", md: "repeat(2, minmax(0, 1fr)) auto" },
    gridTemplateAreas: { base: '"action status" "actor time" "whom whom"', md: '"action action status" "actor whom time"' },
  },
  "& tbody tr td[data-title]": { display: "block", textAlign: "start", py: "0.5", "&::before": { display: "none" } },
  [cell("Action")]: { gridArea: "action" },
  [cell("Status")]: { gridArea: "status", textAlign: "end" },
  [cell("Actor")]: { gridArea: "actor", color: "fg.muted" },
  [cell("Organization")]: { gridArea: "whom", color: "fg.muted" },
  [cell("Timestamp")]: { gridArea: "time", color: "fg.muted", textAlign: "end" },
  [`${cell("Resource")}, ${cell("IP Address")}, & .small`]: { display: "none" },
} as const;

/** Who it was, or what kind of actor, before the id that tells them from all others. */
const Actor = ({ actorId, actorName, actorKind }: AuditLog) => (
  <chakra.div minW={{ lg: "28" }} overflowWrap="anywhere">
    <Text>{actorId === null ? "System" : (actorName ?? actorKindNames[actorKind])}</Text>
    <Small>{actorId ?? actorKindNames.system}</Small>
  </chakra.div>
);

const Action = ({ log: { act, action, code }, onOpen }: { log: AuditLog; onOpen: () => void }) => (
  <div>
    <chakra.button
      type="button"
      aria-haspopup="dialog"
      onClick={onOpen}
      textAlign="inherit"
      fontWeight="medium"
      color="teal.fg"
      textDecoration="underline"
      textUnderlineOffset="3px"
      cursor="button"
      minH="6"
      borderRadius="l1"
      outline="0"
      focusVisibleRing="outside"
      overflowWrap="anywhere"
    >
      {act}
      <VisuallyHidden>, details</VisuallyHidden>
    </chakra.button>
    <Small>{code === null ? action : `${action} · ${code}`}</Small>
  </div>
);

/** Of what was refused the address says more than its kind. */
const Resource = ({ resourceType, resourceId }: AuditLog) => (
  <>
    {resourceType || "N/A"}
    {resourceType === "Route" && resourceId !== null ? <Small>{resourceId}</Small> : null}
  </>
);

const columns = <Log extends AuditLog>(onOpen: (log: Log) => void, more: readonly Column<Log>[]): Column<Log>[] => [
  { title: "Timestamp", cell: ({ createdAt }) => <Moment at={createdAt} /> },
  { title: "Actor", cell: (log) => <Actor {...log} /> },
  { title: "Action", cell: (log) => <Action log={log} onOpen={() => onOpen(log)} /> },
  { title: "Resource", cell: (log) => <Resource {...log} /> },
  ...more,
  { title: "IP Address", cell: ({ ipAddress }) => ipAddress ?? "N/A" },
  { title: "Status", cell: ({ success }) => <SuccessBadge success={success} /> },
];

type AuditTableProps<Log> = {
  logs: readonly Log[];
  onOpen: (log: Log) => void;
  /** Columns after those of what it was about. */ more?: readonly Column<Log>[];
};

/** Events, newest first; an action opens everything that is known of it. */
const AuditTable = <Log extends AuditLog>({ logs, onOpen, more = [] }: AuditTableProps<Log>) => (
  <chakra.div css={{ lgDown: asTwoLines }}>
    <DataTable caption="Audit logs" columns={columns(onOpen, more)} rows={logs} keyOf={({ id }) => id} />
  </chakra.div>
);

type Props<Log> = {
  pages: LoadedPages<Log>;
  onOpen: (log: Log) => void;
  /** Columns after those of what it was about. */ more?: readonly Column<Log>[];
  /** Said when it does not load, instead of what is usual. */ failed?: string;
};

/** A long range may have to be searched in several goes; only its end says that there is nothing. */
const Nothing = ({ hasMore }: { hasMore: boolean }) =>
  hasMore ? (
    <Empty icon={ScrollText} title="Nothing found so far" description="The time range is long. Load more to search the rest of it." />
  ) : (
    <Empty
      icon={ScrollText}
      title="No audit logs found for the selected criteria"
      description="Choose a longer time range, another action type or another search text."
    />
  );

/** What the filters let through, as far as it has been read. */
export const AuditLogList = <Log extends AuditLog>({ pages, onOpen, more = [], failed }: Props<Log>) => (
  <Loadable loaded={pages} what="audit logs" {...(failed !== undefined && { failed })} skeleton={<RowSkeletons />}>
    {(logs) => (
      <>
        {logs.length === 0 ? <Nothing hasMore={pages.hasMore} /> : <AuditTable logs={logs} onOpen={onOpen} more={more} />}
        {logs.length === 0 && !pages.hasMore ? null : <LoadMore pages={pages} what="events" />}
      </>
    )}
  </Loadable>
);
