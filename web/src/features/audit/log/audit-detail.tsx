import { Button } from "@chakra-ui/react/button";
import { Flex } from "@chakra-ui/react/flex";
import { Heading } from "@chakra-ui/react/heading";
import { chakra } from "@chakra-ui/react/styled-system";
import type { AuditLog } from "@vitaline/contract";
import { DetailList } from "../../../components/table/detail-list.tsx";
import { Dialog } from "../../../components/dialog/dialog.tsx";
import { formatExactly, useZone } from "../../../lib/format/times.ts";
import { formatName } from "../../../lib/format/labels.ts";
import { actionTypeNames, actorKindNames, formatDetail } from "./audit-format.ts";
import { ResultBadge } from "./audit-log-list.tsx";

type Props = {
  log: AuditLog;
  organization?: string | undefined;
  onClose: () => void;
  onNarrow: (search: string) => void;
  /** Starts a report on the person who acted. */
  onReport: (userId: string) => void;
};

export const AuditDetail = ({ log, organization, onClose, onNarrow, onReport }: Props) => {
  const { actorId, requestId } = log;
  const details = Object.entries(log.detail);
  return (
    <Dialog title={log.act} description={formatExactly(log.createdAt, useZone())} size="lg" onClose={onClose}>
      <Flex direction="column" gap="6">
        <Flex gap="3" wrap="wrap">
          {actorId === null ? null : (
            <Button variant="outline" size="sm" onClick={() => onNarrow(actorId)}>
              Show all by this actor
            </Button>
          )}
          {actorId === null || log.actorKind !== "user" ? null : (
            <Button variant="outline" size="sm" onClick={() => onReport(actorId)}>
              Report on this person
            </Button>
          )}
          <Button variant="outline" size="sm" onClick={() => onNarrow(requestId)}>
            Show all of this request
          </Button>
        </Flex>
        <DetailList
          details={[
            ["Status", <ResultBadge key="status" log={log} />],
            ["Reason", log.code === null ? undefined : formatName(log.code)],
            ["Action", <Code key="action">{log.action}</Code>],
            ["Action type", actionTypeNames[log.actionType]],
            ["Actor", log.actorName ?? actorKindNames[log.actorKind]],
            ["Actor ID", <Code key="actor">{actorId ?? "System"}</Code>],
            ["Organization", organization],
            ["Resource", log.resourceType || "N/A"],
            ["Resource ID", log.resourceId === null ? undefined : <Code key="resource">{log.resourceId}</Code>],
            ["Call ID", log.callId === undefined || log.callId === log.resourceId ? undefined : <Code key="call">{log.callId}</Code>],
            ["Patient IDs", log.patientIds === undefined ? undefined : <Code key="patients">{log.patientIds.join(", ")}</Code>],
            ["IP address", log.ipAddress ?? "N/A"],
            ["Request ID", <Code key="request">{requestId}</Code>],
            ["Event ID", <Code key="event">{log.id}</Code>],
          ]}
        />
        {details.length === 0 ? null : (
          <section>
            <Heading as="h3" size="md" mb="3">
              Details
            </Heading>
            <DetailList details={details.map(([name, value]) => [formatName(name), formatDetail(value)])} />
          </section>
        )}
      </Flex>
    </Dialog>
  );
};

const Code = ({ children }: { children: string }) => (
  <chakra.span fontFamily="mono" textStyle="xs" overflowWrap="anywhere">
    {children}
  </chakra.span>
);
