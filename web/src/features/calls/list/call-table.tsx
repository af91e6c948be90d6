import { Badge } from "@chakra-ui/react/badge";
import { Flex } from "@chakra-ui/react/flex";
import { Link } from "@chakra-ui/react/link";
import { VisuallyHidden } from "@chakra-ui/react/visually-hidden";
import type { ListedCall } from "@vitaline/contract";
import { Link as RouterLink, useNavigate, useSearchParams } from "react-router-dom";
import { chakra } from "@chakra-ui/react/styled-system";
import { type Column, DataTable } from "../../../components/table/data-table.tsx";
import { DateTime } from "../../../components/data/text.tsx";
import { ToolName } from "../../../components/data/tool-name.tsx";
import { formatDuration, formatMoment, useZone } from "../../../lib/format/times.ts";
import { callStatus } from "../call-status.tsx";
import { formatToolCount, outcomeBadge } from "../call-format.ts";
import { CallLine } from "./call-line.tsx";
import { callAddress, openedFromTable } from "./use-open-call.ts";
import type { Selection } from "./use-selection.ts";

const columns: readonly Column<ListedCall>[] = [
  { title: "Time", cell: ({ createdAt }) => <DateTime at={createdAt} /> },
  { title: "Duration", cell: ({ duration }) => formatDuration(duration) },
  { title: "Status", cell: ({ status }) => <StatusBadge status={status} /> },
  { title: "Tools Used", cell: ({ toolsUsed }) => <ToolNames names={toolsUsed} /> },
  { title: "Outcome", cell: (call) => <Outcome call={call} /> },
];

type Props = {
  calls: readonly ListedCall[];
  /** Names by id */
  offices: ReadonlyMap<string, string>;
  selection: Selection;
  /** By call id, where a search found words in the summary */
  excerpts?: ReadonlyMap<string, string>;
};

export const CallTable = ({ calls, offices, selection, excerpts }: Props) => {
  const [search] = useSearchParams();
  const navigate = useNavigate();
  return (
    <DataTable
      caption="Recent calls"
      columns={[...columns, { title: "Details", cell: (call) => <RowActions call={call} selection={selection} /> }]}
      rows={calls}
      keyOf={({ id }) => id}
      line={{
        title: "About the call",
        cell: (call) => <CallLine call={call} offices={offices} excerpt={excerpts?.get(call.id)} />,
      }}
      onOpen={({ id }) => void navigate(callAddress(search, id), { state: openedFromTable })}
    />
  );
};

const RowActions = ({ call, selection }: { call: ListedCall; selection: Selection }) => {
  const zone = useZone();
  const isSelected = selection.has(call);
  return (
    <Flex gap="3" align="center" justify={{ base: "flex-end", lg: "flex-start" }}>
      <ViewLink call={call} />
      {call.needsFollowUp ? (
        <chakra.label display="inline-flex" p="1" m="-1" cursor="button">
          <chakra.input
            type="checkbox"
            checked={isSelected}
            disabled={selection.isFull && !isSelected}
            onChange={() => selection.toggle(call)}
            aria-label={`Select the call of ${formatMoment(call.createdAt, zone)} for follow-up`}
            accentColor="teal.solid"
            boxSize="4.5"
            outline="0"
            focusVisibleRing="outside"
            borderRadius="l1"
          />
        </chakra.label>
      ) : null}
    </Flex>
  );
};

const StatusBadge = ({ status }: Pick<ListedCall, "status">) => {
  const { name, colorPalette } = callStatus(status);
  return <Badge colorPalette={colorPalette}>{name}</Badge>;
};

const ToolNames = ({ names }: { names: readonly string[] }) =>
  names.length === 0 ? (
    <chakra.span color="fg.muted">{formatToolCount(0)}</chakra.span>
  ) : (
    <chakra.details>
      <chakra.summary cursor="button" outline="0" focusVisibleRing="outside" borderRadius="l1" whiteSpace="nowrap" py="0.5">
        {formatToolCount(names.length)}
      </chakra.summary>
      <chakra.ul listStyleType="none" mt="1" color="fg.muted">
        {names.map((name) => (
          <li key={name}>
            <ToolName name={name} />
          </li>
        ))}
      </chakra.ul>
    </chakra.details>
  );

const Outcome = ({ call }: { call: ListedCall }) => {
  const { name, variant } = outcomeBadge(call);
  return (
    <Flex gap="1.5" wrap="wrap" justify={{ base: "flex-end", lg: "flex-start" }}>
      <Badge variant={variant} colorPalette="green">
        {name}
      </Badge>
      {call.abandoned ? <Badge colorPalette="orange">Abandoned</Badge> : null}
      {call.needsFollowUp ? <Badge colorPalette="orange">Needs follow-up</Badge> : null}
    </Flex>
  );
};

const ViewLink = ({ call }: { call: ListedCall }) => {
  const [search] = useSearchParams();
  const zone = useZone();
  return (
    <Link asChild>
      <RouterLink to={callAddress(search, call.id)} state={openedFromTable}>
        View
        <VisuallyHidden>{` the call of ${formatMoment(call.createdAt, zone)}`}</VisuallyHidden>
      </RouterLink>
    </Link>
  );
};
