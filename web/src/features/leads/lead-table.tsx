import { Button } from "@chakra-ui/react/button";
import { VisuallyHidden } from "@chakra-ui/react/visually-hidden";
import type { Lead } from "@vitaline/contract";
import { type Column, DataTable } from "../../components/table/data-table.tsx";
import { Moment } from "../../components/data/text.tsx";
import { formatMoment, useZone } from "../../lib/format/times.ts";
import { LeadStatusBadge } from "./lead-status-badge.tsx";
import { leadReasonNames } from "./lead-words.ts";

type Props = { leads: readonly Lead[]; offices: ReadonlyMap<string, string>; onOpen: (leadId: string) => void };

/** Who wants to be found again, without their names: those are read one by one. */
export const LeadTable = ({ leads, offices, onOpen }: Props) => {
  const zone = useZone();
  const columns: Column<Lead>[] = [
    { title: "Received", cell: ({ createdAt }) => <Moment at={createdAt} /> },
    { title: "Reason", cell: ({ reason }) => leadReasonNames[reason] },
    { title: "Came from", cell: ({ callId }) => (callId === null ? "Written down by staff" : "A call") },
    { title: "Office", cell: ({ officeId }) => (officeId === null ? "Any" : (offices.get(officeId) ?? "Another office")) },
    { title: "Status", cell: (lead) => <LeadStatusBadge lead={lead} /> },
    {
      title: "Details",
      isNumeric: true,
      cell: ({ id, reason, createdAt }) => (
        <Button size="sm" variant="outline" onClick={() => onOpen(id)}>
          Open
          <VisuallyHidden>{` lead: ${leadReasonNames[reason]}, ${formatMoment(createdAt, zone)}`}</VisuallyHidden>
        </Button>
      ),
    },
  ];
  return <DataTable caption="Leads, newest first" columns={columns} rows={leads} keyOf={({ id }) => id} />;
};
