import { Button } from "@chakra-ui/react/button";
import { Text } from "@chakra-ui/react/text";
import { VisuallyHidden } from "@chakra-ui/react/visually-hidden";
import type { Erasure } from "@vitaline/contract";
import { useAuth } from "../../lib/session/auth.tsx";
import { type Column, DataTable } from "../../components/table/data-table.tsx";
import { Moment } from "../../components/data/text.tsx";
import { formatExactly, useZone } from "../../lib/format/times.ts";
import { ErasureBadge } from "./erasure-badge.tsx";
import { hasNotBegun, kindNames, personInWords } from "./erasure-words.ts";

const Times = ({ erasure }: { erasure: Erasure }) => {
  const { status, startsAt, finishedAt } = erasure;
  if (hasNotBegun(erasure)) return <>Starts {<Moment at={startsAt} />}</>;
  if (finishedAt === null) return status === "cancelled" ? "N/A" : "Under way";
  return (
    <>
      {status === "done" ? "Finished" : "Canceled"} <Moment at={finishedAt} />
    </>
  );
};

type Props = { erasures: readonly Erasure[]; onOpen: (erasureId: string) => void };

/** Erasures, newest first; each opens with all that is known of it. */
export const ErasureTable = ({ erasures, onOpen }: Props) => {
  const zone = useZone();
  const { user } = useAuth();
  const columns: Column<Erasure>[] = [
    { title: "What", cell: ({ kind }) => kindNames[kind] },
    { title: "Organization", cell: ({ tenantName }) => tenantName },
    { title: "Status", cell: ({ status }) => <ErasureBadge status={status} /> },
    {
      title: "Requested",
      cell: ({ requestedBy, requestedByName, requestedAt }) => (
        <div>
          <Text>{personInWords(requestedBy, requestedByName, user?.id)}</Text>
          <Moment at={requestedAt} color="fg.muted" />
        </div>
      ),
    },
    { title: "When", cell: (erasure) => <Times erasure={erasure} /> },
    {
      title: "Details",
      cell: ({ id, kind, tenantName, requestedAt }) => (
        <Button size="sm" variant="outline" aria-haspopup="dialog" onClick={() => onOpen(id)}>
          Open
          <VisuallyHidden>{` ${kindNames[kind]} of ${tenantName}, requested ${formatExactly(requestedAt, zone)}`}</VisuallyHidden>
        </Button>
      ),
    },
  ];
  return <DataTable caption="Erasures" columns={columns} rows={erasures} keyOf={({ id }) => id} />;
};
