import { chakra } from "@chakra-ui/react/styled-system";
import { Text } from "@chakra-ui/react/text";
import { VisuallyHidden } from "@chakra-ui/react/visually-hidden";
import type { AuditLog } from "@vitaline/contract";
import { type Column, DataTable } from "../../components/table/data-table.tsx";
import { Moment } from "../../components/data/text.tsx";
import { actorKindNames } from "./audit-words.ts";
import { Small } from "./small.tsx";
import { SuccessBadge } from "./success-badge.tsx";
import { asTwoLines } from "./two-lines.ts";

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

type Props<Log> = {
  logs: readonly Log[];
  onOpen: (log: Log) => void;
  /** Columns after those of what it was about. */ more?: readonly Column<Log>[];
};

/** Events, newest first; an action opens everything that is known of it. */
export const AuditTable = <Log extends AuditLog>({ logs, onOpen, more = [] }: Props<Log>) => (
  <chakra.div css={{ lgDown: asTwoLines }}>
    <DataTable caption="Audit logs" columns={columns(onOpen, more)} rows={logs} keyOf={({ id }) => id} />
  </chakra.div>
);
