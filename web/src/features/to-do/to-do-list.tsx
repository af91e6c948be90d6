import { Box } from "@chakra-ui/react/box";
import { Badge } from "@chakra-ui/react/badge";
import { Button } from "@chakra-ui/react/button";
import { Flex } from "@chakra-ui/react/flex";
import { Text } from "@chakra-ui/react/text";
import { VisuallyHidden } from "@chakra-ui/react/visually-hidden";
import type { ToDo } from "@vitaline/contract";
import CircleCheck from "lucide-react/dist/esm/icons/circle-check.mjs";
import { useState } from "react";
import { DateTime } from "../../components/data/text.tsx";
import { Empty } from "../../components/feedback/empty.tsx";
import { Loadable, RowSkeletons } from "../../components/feedback/loadable.tsx";
import { Announcement } from "../../components/feedback/alerts.tsx";
import { TextLink } from "../../components/layout/links.tsx";
import { type Column, DataTable } from "../../components/table/data-table.tsx";
import { LoadMore } from "../../components/table/load-more.tsx";
import { explain, isStale } from "../../lib/api/api-error.ts";
import { useAction } from "../../lib/api/use-action.ts";
import type { LoadedPages } from "../../lib/api/use-pages.ts";
import { formatMoment, useZone } from "../../lib/format/times.ts";
import { announce } from "../../lib/toast.ts";
import { findingNames, isOverdue, titleOf } from "./to-do-format.ts";
import { callPath } from "./to-do-path.ts";
import { conflictText, useMark } from "./use-mark.ts";

type Props = { pages: LoadedPages<ToDo>; empty: { title: string; description: string } } & RowProps;
type RowProps = { offices: ReadonlyMap<string, string>; onOpen: (id: string) => void };

export const ToDoList = ({ pages, empty, ...rows }: Props) => (
  <Loadable loaded={pages} what="the to-do list" skeleton={<RowSkeletons />}>
    {(list) =>
      list.length === 0 && !pages.hasMore ? (
        <Empty icon={CircleCheck} {...empty} />
      ) : (
        <>
          <ToDoTable items={list} pages={pages} {...rows} />
          <LoadMore pages={pages} what="items" />
        </>
      )
    }
  </Loadable>
);

const ToDoTable = ({ items, pages, offices, onOpen }: { items: readonly ToDo[]; pages: LoadedPages<ToDo> } & RowProps) => {
  const columns: Column<ToDo>[] = [
    { title: "What", cell: (item) => <What item={item} twins={twinsOf(item, items)} onOpen={onOpen} /> },
    { title: "Due", cell: (item) => <Due item={item} now={pages.receivedAt} /> },
    { title: "Owner", cell: ({ owner }) => owner?.name ?? "No one yet" },
    { title: "Office", cell: ({ officeId }) => (officeId === null ? "Any" : (offices.get(officeId) ?? "Another office")) },
    { title: "Came from", cell: (item) => (item.callId === null ? "No call" : <CallLink item={item} callId={item.callId} />) },
    { title: "Mark", isNumeric: true, cell: (item) => <MarkButton item={item} pages={pages} /> },
  ];
  return <DataTable caption="To do, the most urgent first" columns={columns} rows={items} keyOf={({ id }) => id} />;
};

/** What else is open from the same call. */
const twinsOf = ({ id, callId, doneAt }: ToDo, items: readonly ToDo[]): ToDo[] =>
  callId === null || doneAt !== null ? [] : items.filter((one) => one.callId === callId && one.id !== id && one.doneAt === null);

const What = ({ item, twins, onOpen }: { item: ToDo; twins: readonly ToDo[]; onOpen: (id: string) => void }) => {
  const { id, kind, createdAt, finding, hasNote } = item;
  return (
    <Box minW="0">
      <Button
        variant="plain"
        h="auto"
        minH="6"
        p="0"
        whiteSpace="normal"
        textAlign={{ base: "end", lg: "start" }}
        fontWeight="semibold"
        color={kind === "emergency" ? "red.fg" : "fg"}
        textDecoration="underline"
        textUnderlineOffset="3px"
        onClick={() => onOpen(id)}
      >
        {titleOf(item)}
      </Button>
      <Text textStyle="sm" color="fg.muted">
        <DateTime at={createdAt} />
        {finding === null ? "" : ` · ${findingNames[finding]}`}
        {hasNote ? " · Has a note" : ""}
        {twins.length === 0 ? "" : ` · Same call as “${twins.map(titleOf).join("” and “")}”`}
      </Text>
    </Box>
  );
};

/** `now`: when the list was read. */
const Due = ({ item, now }: { item: ToDo; now: Date | undefined }) => {
  if (item.doneAt !== null)
    return (
      <Flex wrap="wrap" gap="1" align="center" justify={{ lgDown: "flex-end" }}>
        <Badge colorPalette="green">Done</Badge>
        <DateTime at={item.doneAt} />
        {item.doneBy === null ? null : <span>{` by ${item.doneBy.name}`}</span>}
      </Flex>
    );
  return (
    <Flex wrap="wrap" gap="1" align="center" justify={{ lgDown: "flex-end" }}>
      <DateTime at={item.dueAt} />
      {now !== undefined && isOverdue(item, now.getTime()) ? <Badge colorPalette="orange">Overdue</Badge> : null}
    </Flex>
  );
};

const CallLink = ({ item, callId }: { item: ToDo; callId: string }) => {
  const zone = useZone();
  return (
    <TextLink to={callPath(item, callId)}>
      A call
      <VisuallyHidden>{` of ${formatMoment(item.createdAt, zone)}`}</VisuallyHidden>
    </TextLink>
  );
};

const MarkButton = ({ item, pages }: { item: ToDo; pages: LoadedPages<ToDo> }) => {
  const mark = useMark(pages.replace);
  const [said, setSaid] = useState("");
  const isDone = item.doneAt !== null;
  const { run, isBusy } = useAction(
    async () => {
      const { doneAt } = await mark(item, !isDone);
      setSaid(doneAt === null ? "Reopened" : "Done");
    },
    (error) => {
      announce({ type: "error", title: "Not changed", description: isStale(error) ? conflictText : explain(error) });
      if (isStale(error)) pages.refresh();
    },
  );
  return (
    <>
      <Button size="sm" variant="outline" aria-disabled={isBusy} onClick={() => run()}>
        {isDone ? "Undo" : "Done"}
        <VisuallyHidden>{`: ${titleOf(item)}`}</VisuallyHidden>
      </Button>
      <Announcement text={said} />
    </>
  );
};
