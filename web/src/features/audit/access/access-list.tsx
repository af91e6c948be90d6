import { Badge } from "@chakra-ui/react/badge";
import { Button } from "@chakra-ui/react/button";
import { Heading } from "@chakra-ui/react/heading";
import { Stack } from "@chakra-ui/react/stack";
import { chakra } from "@chakra-ui/react/styled-system";
import { Text } from "@chakra-ui/react/text";
import { VisuallyHidden } from "@chakra-ui/react/visually-hidden";
import type { AccessReport, ListedAccessReport } from "@vitaline/contract";
import ScrollText from "lucide-react/dist/esm/icons/scroll-text.mjs";
import type { Ref } from "react";
import { DateTime } from "../../../components/data/text.tsx";
import { Empty } from "../../../components/feedback/empty.tsx";
import { Loadable, RowSkeletons } from "../../../components/feedback/loadable.tsx";
import { type Column, DataTable } from "../../../components/table/data-table.tsx";
import { LoadMore } from "../../../components/table/load-more.tsx";
import type { LoadedPages } from "../../../lib/api/use-pages.ts";
import { formatCount } from "../../../lib/format/numbers.ts";
import { useAuth } from "../../../lib/session/auth.tsx";
import { formatPeriod, isInProgress, stateNames, statePalettes } from "../export/export-format.ts";

/** How reports have ended since the list was read, by their ids. */
export type EndedReports = ReadonlyMap<string, Pick<AccessReport, "state" | "found">>;

type Props = {
  pages: LoadedPages<ListedAccessReport>;
  ended: EndedReports;
  isTenant: boolean;
  openId: string | null;
  onOpen: (reportId: string) => void;
  onClose: () => void;
  ref: Ref<HTMLDivElement>;
  /** Of the open report's button, if it stays when the report is closed. */
  openRow: Ref<HTMLButtonElement>;
};

export const AccessList = ({ pages, ended, isTenant, openId, onOpen, onClose, ref, openRow }: Props) => {
  const { user } = useAuth();
  const columns: Column<ListedAccessReport>[] = [
    { title: "Requested", cell: ({ requestedAt }) => <DateTime at={requestedAt} /> },
    { title: "By", cell: ({ requestedBy, requestedByName }) => (requestedBy === user?.id ? "You" : (requestedByName ?? "A former user")) },
    { title: "About", cell: (report) => <About report={report} isTenant={isTenant} /> },
    { title: "Days", cell: formatPeriod },
    { title: "Entries", isNumeric: true, cell: ({ state, found }) => (state === "ready" ? formatCount(found) : "N/A") },
    { title: "State", cell: ({ state }) => <Badge colorPalette={statePalettes[state]}>{stateNames[state]}</Badge> },
    {
      title: "Report",
      cell: (report) => {
        const isOpen = report.id === openId;
        if (report.state === "failed" && !isOpen) return <Text color="fg.muted">Request again</Text>;
        return (
          <Button
            ref={isOpen && report.state !== "failed" ? openRow : undefined}
            size="sm"
            variant="outline"
            onClick={() => (isOpen ? onClose() : onOpen(report.id))}
          >
            {isOpen ? "Close" : isInProgress(report) ? "Show progress" : "Open"}
            <VisuallyHidden>{` the report on ${subjectOf(report)}, ${formatPeriod(report)}`}</VisuallyHidden>
          </Button>
        );
      },
    },
  ];
  return (
    <Stack
      as="section"
      ref={ref}
      aria-label="Earlier reports"
      tabIndex={-1}
      outline="0"
      gap="3"
      borderTopWidth="1px"
      borderColor="border"
      pt="5"
    >
      <chakra.div>
        <Heading as="h3" size="sm">
          Earlier reports
        </Heading>
        <Text textStyle="sm" color="fg.muted">
          {isTenant
            ? "Reports that administrators and auditors asked for in the last seven days; after that they are deleted."
            : "Reports that system administrators asked for in the last seven days; after that they are deleted. Open one to see the patient's ID."}
        </Text>
      </chakra.div>
      <Loadable loaded={pages} what="earlier reports" skeleton={<RowSkeletons />}>
        {(list) =>
          list.length === 0 ? (
            <Empty icon={ScrollText} title="No reports in the last seven days" description="Choose Create report to write the first one." />
          ) : (
            <>
              <DataTable
                caption="Earlier reports"
                columns={columns}
                rows={list.map((row) => ({ ...row, ...ended.get(row.id) }))}
                keyOf={({ id }) => id}
              />
              {pages.hasMore ? <LoadMore pages={pages} what="reports" /> : null}
            </>
          )
        }
      </Loadable>
    </Stack>
  );
};

const subjectOf = ({ kind, patientId, userId, userName }: ListedAccessReport): string =>
  kind === "user" ? (userName ?? `user ${userId}`) : patientId === null ? "a patient" : `patient ${patientId}`;

const About = ({ report, isTenant }: { report: ListedAccessReport; isTenant: boolean }) => {
  const { kind, patientId, userId, userName, tenantId, tenantName } = report;
  const name = kind === "user" ? (userName ?? "A person") : "A patient";
  const notes = [
    kind === "user" ? userId : patientId,
    ...(isTenant ? [] : [tenantId === null ? "All organizations" : (tenantName ?? tenantId)]),
  ];
  return (
    <chakra.div minW="0">
      <Text overflowWrap="anywhere">{name}</Text>
      {notes
        .filter((note) => note !== null)
        .map((note) => (
          <Text key={note} textStyle="xs" color="fg.muted" overflowWrap="anywhere">
            {note}
          </Text>
        ))}
    </chakra.div>
  );
};
