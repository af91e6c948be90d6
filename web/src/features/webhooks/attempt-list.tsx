import { Text } from "@chakra-ui/react/text";
import type { WebhookDelivery } from "@vitaline/contract";
import { DataTable } from "../../components/table/data-table.tsx";
import { Moment } from "../../components/data/text.tsx";
import { formatMilliseconds } from "../../lib/format/numbers.ts";
import { attemptOutcome } from "./delivery-words.ts";

type Attempt = WebhookDelivery["attempts"][number];

const columns = [
  { title: "Time", cell: ({ at }: Attempt) => <Moment at={at} /> },
  { title: "Outcome", cell: attemptOutcome },
  { title: "Took", isNumeric: true, cell: ({ ms }: Attempt) => formatMilliseconds(ms) },
];

/** The last twenty tries, the newest first. */
export const AttemptList = ({ attempts }: { attempts: readonly Attempt[] }) =>
  attempts.length === 0 ? (
    <Text color="fg.muted">It has not been sent yet.</Text>
  ) : (
    <DataTable caption="Attempts" columns={columns} rows={attempts.toReversed()} keyOf={({ at }) => at} />
  );
