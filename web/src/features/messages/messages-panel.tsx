import { Badge } from "@chakra-ui/react/badge";
import { chakra } from "@chakra-ui/react/styled-system";
import { type Message, messages } from "@vitaline/contract";
import MessageSquare from "lucide-react/dist/esm/icons/message-square.mjs";
import { usePages } from "../../lib/api/use-pages.ts";
import { type Column, DataTable } from "../../components/table/data-table.tsx";
import { Empty } from "../../components/feedback/empty.tsx";
import { LoadMore } from "../../components/table/load-more.tsx";
import { Loadable, RowSkeletons } from "../../components/feedback/loadable.tsx";
import { DateTime } from "../../components/data/text.tsx";
import { Panel } from "../../components/layout/panel.tsx";
import { useOfficeNames } from "../calls/office-names.ts";
import { channelNames, describeStatus, messageStatuses, purposeNames } from "./message-format.ts";

/** Without recipients and texts, which are patient data. */
const MessagesPanel = () => {
  const offices = useOfficeNames();
  const pages = usePages(messages.listMessages, {});
  return (
    <Panel title="Messages to Patients" description="Messages sent by voice agents and reminders, with their delivery status.">
      <Loadable loaded={pages} what="messages" skeleton={<RowSkeletons />}>
        {(list) =>
          list.length === 0 && !pages.hasMore ? (
            <Empty
              icon={MessageSquare}
              title="No messages yet"
              description="Confirmations, reminders and other messages to patients appear here once one has been sent."
            />
          ) : (
            <>
              <DataTable caption="Messages, newest first" columns={columnsFor(offices)} rows={list} keyOf={({ id }) => id} />
              <LoadMore pages={pages} what="messages" />
            </>
          )
        }
      </Loadable>
    </Panel>
  );
};

const columnsFor = (offices: ReadonlyMap<string, string>): Column<Message>[] => [
  { title: "Time", cell: ({ createdAt }) => <DateTime at={createdAt} /> },
  { title: "Channel", cell: ({ channel }) => channelNames[channel] },
  { title: "Purpose", cell: ({ purpose }) => purposeNames[purpose] },
  { title: "Office", cell: ({ officeId }) => (officeId === null ? "None" : (offices.get(officeId) ?? "Another office")) },
  { title: "Status", cell: ({ status }) => <StatusBadge status={status} /> },
  { title: "What it means", cell: (message) => <StatusDescription message={message} /> },
];

const StatusBadge = ({ status }: Pick<Message, "status">) => {
  const { name, colorPalette } = messageStatuses[status];
  return <Badge colorPalette={colorPalette}>{name}</Badge>;
};

const StatusDescription = ({ message }: { message: Message }) => (
  <chakra.span color="fg.muted">
    {describeStatus(message)}
    {message.sendAt === null ? null : (
      <>
        {" It is sent "}
        <DateTime at={message.sendAt} />.
      </>
    )}
  </chakra.span>
);

export default MessagesPanel;
