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
import { BreakableName, DateTime } from "../../../components/data/text.tsx";
import { auditResult } from "../../../lib/format/labels.ts";
import { actorKindNames } from "./audit-format.ts";

const SecondaryText = ({ children }: { children: string }) => (
  <Text className="small" textStyle="xs" color="fg.muted" overflowWrap="anywhere">
    <BreakableName name={children} />
  </Text>
);

export const ResultBadge = ({ log }: { log: Pick<AuditLog, "success" | "code"> }) => {
  const { palette, word } = auditResult(log);
  return <Badge colorPalette={palette}>{word}</Badge>;
};

const cell = (title: string): string => `& tbody tr td[data-title="${title}"]`;

/** On narrow screens a row is a two-line card without resource, IP address and ids, which the dialog shows. */
const twoLineCards = {
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

const Actor = ({ actorId, actorName, actorKind }: AuditLog) => (
  <chakra.div minW={{ lg: "28" }} overflowWrap="anywhere">
    <Text>{actorId === null ? "System" : (actorName ?? actorKindNames[actorKind])}</Text>
    <SecondaryText>{actorId ?? actorKindNames.system}</SecondaryText>
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
    <SecondaryText>{code === null ? action : `${action} · ${code}`}</SecondaryText>
  </div>
);

/** For a refused route, the resource id is its path. */
const Resource = ({ resourceType, resourceId }: AuditLog) => (
  <>
    {resourceType || "N/A"}
    {resourceType === "Route" && resourceId !== null ? <SecondaryText>{resourceId}</SecondaryText> : null}
  </>
);

const columns = <Log extends AuditLog>(onOpen: (log: Log) => void, more: readonly Column<Log>[]): Column<Log>[] => [
  { title: "Timestamp", cell: ({ createdAt }) => <DateTime at={createdAt} /> },
  { title: "Actor", cell: (log) => <Actor {...log} /> },
  { title: "Action", cell: (log) => <Action log={log} onOpen={() => onOpen(log)} /> },
  { title: "Resource", cell: (log) => <Resource {...log} /> },
  ...more,
  { title: "IP Address", cell: ({ ipAddress }) => ipAddress ?? "N/A" },
  { title: "Status", cell: (log) => <ResultBadge log={log} /> },
];

type AuditTableProps<Log> = {
  logs: readonly Log[];
  onOpen: (log: Log) => void;
  more?: readonly Column<Log>[];
};

const AuditTable = <Log extends AuditLog>({ logs, onOpen, more = [] }: AuditTableProps<Log>) => (
  <chakra.div css={{ lgDown: twoLineCards }}>
    <DataTable caption="Audit logs" columns={columns(onOpen, more)} rows={logs} keyOf={({ id }) => id} />
  </chakra.div>
);

type Props<Log> = {
  pages: LoadedPages<Log>;
  onOpen: (log: Log) => void;
  more?: readonly Column<Log>[];
  failed?: string;
  /** Why a search may find nothing here though there is something. */
  nothing?: string;
};

/** The server searches a long range in several pages, so an empty page is not the end. */
const NoLogs = ({
  hasMore,
  nothing = "Choose a longer time range, another action type or another search text.",
}: {
  hasMore: boolean;
  nothing?: string | undefined;
}) =>
  hasMore ? (
    <Empty icon={ScrollText} title="Nothing found so far" description="The time range is long. Load more to search the rest of it." />
  ) : (
    <Empty icon={ScrollText} title="No audit logs found for the selected criteria" description={nothing} />
  );

export const AuditLogList = <Log extends AuditLog>({ pages, onOpen, more = [], failed, nothing }: Props<Log>) => (
  <Loadable loaded={pages} what="audit logs" {...(failed !== undefined && { failed })} skeleton={<RowSkeletons />}>
    {(logs) => (
      <>
        {logs.length === 0 ? <NoLogs hasMore={pages.hasMore} nothing={nothing} /> : <AuditTable logs={logs} onOpen={onOpen} more={more} />}
        {logs.length === 0 && !pages.hasMore ? null : <LoadMore pages={pages} what="events" />}
      </>
    )}
  </Loadable>
);
