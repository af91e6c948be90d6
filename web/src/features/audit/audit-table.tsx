import { chakra } from "@chakra-ui/react/styled-system";
import { Text } from "@chakra-ui/react/text";
import { VisuallyHidden } from "@chakra-ui/react/visually-hidden";
import type { AuditLog } from "@vitaline/contract";
import { BreakableName } from "../../components/breakable-name.tsx";
import { type Column, DataTable } from "../../components/data-table.tsx";
import { Moment } from "../../components/moment.tsx";
import { actionTypeNames } from "./audit-filters.ts";
import { actorKindNames } from "./audit-words.ts";
import { SuccessBadge } from "./success-badge.tsx";

/** Of a user that the tenant knows the name stands first; of all others what kind of actor it is stands below. */
const Actor = ({ actorId, actorName, actorKind }: AuditLog) => {
  const id = actorId ?? "System";
  return (
    <chakra.div minW={{ md: "28" }} maxW={{ md: "32", lg: "none" }} overflowWrap="anywhere">
      <Text>{actorName ?? id}</Text>
      <Text textStyle="xs" color="fg.muted">
        {actorName === undefined ? actorKindNames[actorKind] : id}
      </Text>
    </chakra.div>
  );
};

/** An action in whole words where there is not room for all of it. */
const ActionName = ({ action }: { action: string }) => {
  const [noun = "", verb] = action.split(/\.(.*)/s);
  return (
    <>
      <BreakableName name={noun} />
      {verb === undefined ? null : (
        <>
          .<wbr />
          <BreakableName name={verb} />
        </>
      )}
    </>
  );
};

const Action = ({ log: { action, actionType }, onOpen }: { log: AuditLog; onOpen: () => void }) => (
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
    >
      <ActionName action={action} />
      <VisuallyHidden>, details</VisuallyHidden>
    </chakra.button>
    <Text textStyle="xs" color="fg.muted">
      {actionTypeNames[actionType]}
    </Text>
  </div>
);

const columns = (onOpen: (log: AuditLog) => void): Column<AuditLog>[] => [
  { title: "Timestamp", cell: ({ createdAt }) => <Moment at={createdAt} /> },
  { title: "Actor", cell: (log) => <Actor {...log} /> },
  { title: "Action", cell: (log) => <Action log={log} onOpen={() => onOpen(log)} /> },
  { title: "Resource", cell: ({ resourceType }) => resourceType || "N/A" },
  { title: "IP Address", cell: ({ ipAddress }) => ipAddress ?? "N/A" },
  { title: "Status", cell: ({ success }) => <SuccessBadge success={success} /> },
];

/** Events, newest first; an action opens everything that is known of it. */
export const AuditTable = ({ logs, onOpen }: { logs: readonly AuditLog[]; onOpen: (log: AuditLog) => void }) => (
  <DataTable caption="Audit logs" columns={columns(onOpen)} rows={logs} keyOf={({ id }) => id} />
);
