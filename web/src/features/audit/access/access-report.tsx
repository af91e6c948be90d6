import { formatTimeZone } from "../../../lib/format/times.ts";
import { Alert } from "@chakra-ui/react/alert";
import { Badge } from "@chakra-ui/react/badge";
import { Button } from "@chakra-ui/react/button";
import { Flex } from "@chakra-ui/react/flex";
import { Stack } from "@chakra-ui/react/stack";
import { chakra } from "@chakra-ui/react/styled-system";
import { Text } from "@chakra-ui/react/text";
import type { AccessEntry, AccessReportDetail, ExportFormat } from "@vitaline/contract";
import Download from "lucide-react/dist/esm/icons/download.mjs";
import ScrollText from "lucide-react/dist/esm/icons/scroll-text.mjs";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { DateTime } from "../../../components/data/text.tsx";
import { Empty } from "../../../components/feedback/empty.tsx";
import { type Column, DataTable } from "../../../components/table/data-table.tsx";
import { LoadMore } from "../../../components/table/load-more.tsx";
import { explain } from "../../../lib/api/api-error.ts";
import { useAction } from "../../../lib/api/use-action.ts";
import { Watch } from "../../../lib/api/watch.tsx";
import { saveFrom } from "../../../lib/dom/download.ts";
import { formatName } from "../../../lib/format/labels.ts";
import { formatCount } from "../../../lib/format/numbers.ts";
import { formatPeriod, isInProgress } from "../export/export-format.ts";
import { actorKindNames } from "../log/audit-format.ts";
import type { AccessApi } from "./access-api.ts";

type Props = {
  api: AccessApi;
  reportId: string;
  /** Where the patient was just chosen by name; it is neither stored nor in the address. */
  patientName: string | undefined;
  /** Opened by a press on this page. */
  takesFocus: boolean;
  onEnded: (report: AccessReportDetail) => void;
  onClose: () => void;
};

/** A report by its id in the address: its progress, then its entries. */
export const AccessReport = ({ api, reportId, patientName, takesFocus, onEnded, onClose }: Props) => {
  const [report, setReport] = useState<AccessReportDetail>();
  const [lost, setLost] = useState<string>();
  const section = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (takesFocus) section.current?.focus();
  }, [takesFocus]);
  const isDone = report !== undefined && !isInProgress(report);
  return (
    <Stack
      as="section"
      ref={section}
      aria-label="Report"
      tabIndex={-1}
      outline="0"
      gap="4"
      borderTopWidth="1px"
      borderColor="border"
      pt="5"
    >
      {isDone ? null : <Progress report={report} lost={lost} onAgain={() => setLost(undefined)} />}
      {isDone || lost !== undefined ? null : (
        <Watch
          ask={() => api.read(reportId)}
          isAskedNow
          isUnderWay={isInProgress}
          onSeen={setReport}
          onEnded={(now) => {
            setReport(now);
            onEnded(now);
          }}
          onLost={(refusal) =>
            setLost(refusal === undefined ? "This is taking a while. It continues even if you leave this page." : explain(refusal))
          }
        />
      )}
      {report?.state === "failed" ? (
        <Alert.Root status="error" role="alert">
          <Alert.Description>The report could not be written. Please request it again.</Alert.Description>
        </Alert.Root>
      ) : null}
      {report?.state === "ready" ? <Entries api={api} first={report} patientName={patientName} /> : null}
      <div>
        <Button size="sm" variant="ghost" onClick={onClose}>
          Close this report
        </Button>
      </div>
    </Stack>
  );
};

const Progress = ({ report, lost, onAgain }: { report: AccessReportDetail | undefined; lost: string | undefined; onAgain: () => void }) => (
  <Stack gap="2" maxW="xl">
    <chakra.progress
      aria-label="Log read"
      value={report?.progress ?? 0}
      max={1}
      w="full"
      h="2"
      css={{ accentColor: "{colors.teal.solid}" }}
    />
    <chakra.output display="block" textStyle="sm">
      {lost ??
        (report === undefined
          ? "Opening the report..."
          : `${formatCount(report.examined)} events read, ${formatCount(report.found)} in the report so far.`)}
    </chakra.output>
    {lost === undefined ? null : (
      <div>
        <Button size="sm" variant="outline" onClick={onAgain}>
          Resume updates
        </Button>
      </div>
    )}
  </Stack>
);

const formats: readonly ExportFormat[] = ["csv", "pdf", "json"];

type EntriesProps = Pick<Props, "api" | "patientName"> & { first: AccessReportDetail };

const Entries = ({ api, first, patientName }: EntriesProps) => {
  const [entries, setEntries] = useState(first.entries);
  const [nextPage, setNextPage] = useState(first.nextPage);
  const more = useAction(async () => {
    if (nextPage === null) return;
    const page = await api.read(first.id, { page: nextPage });
    setEntries((before) => [...before, ...page.entries]);
    setNextPage(page.nextPage);
  });
  const subject =
    first.kind === "user"
      ? `${first.userName ?? "User"} (${first.userId})`
      : patientName === undefined
        ? `Patient ${first.patientId}`
        : `Patient ${patientName} (${first.patientId})`;
  return (
    <Stack gap="4">
      <Flex justify="space-between" wrap="wrap" gap="3" align="flex-start">
        <chakra.div minW="0">
          <Text fontWeight="semibold" overflowWrap="anywhere">
            {subject}
          </Text>
          <Text textStyle="sm" color="fg.muted">
            {`${formatPeriod(first)} (${formatTimeZone(first.timeZone)}) · ${formatCount(first.found)} ${first.found === 1 ? "entry" : "entries"}`}
          </Text>
        </chakra.div>
        <Flex gap="2" wrap="wrap">
          {formats.map((format) => (
            <FileButton key={format} api={api} reportId={first.id} format={format} />
          ))}
        </Flex>
      </Flex>
      {entries.length === 0 ? (
        <Empty
          icon={ScrollText}
          title={first.kind === "patient" ? "No access on these days" : "No activity on these days"}
          description="The whole log of these days was read."
        />
      ) : (
        <>
          <DataTable caption="Accesses" columns={columnsOf(first)} rows={entries} keyOf={({ id }) => id} />
          <LoadMore
            pages={{
              data: entries as never,
              hasMore: nextPage !== null,
              isLoadingMore: more.isBusy,
              moreError: undefined,
              loadMore: more.run,
            }}
            what="entries"
          />
        </>
      )}
    </Stack>
  );
};

const FileButton = ({ api, reportId, format }: { api: AccessApi; reportId: string; format: ExportFormat }) => {
  const { run, isBusy } = useAction(async () => {
    const { url } = await api.read(reportId, { download: format });
    if (url !== null) saveFrom(url);
  });
  return (
    <Button size="sm" variant="outline" aria-disabled={isBusy} onClick={() => run()}>
      <Download aria-hidden />
      {format.toUpperCase()}
    </Button>
  );
};

const Small = ({ children }: { children: string }) => (
  <Text textStyle="xs" color="fg.muted" overflowWrap="anywhere">
    {children}
  </Text>
);

/** One part of a row, also where a row is a card. */
const Cell = ({ children }: { children: ReactNode }) => <chakra.div minW="0">{children}</chakra.div>;

const Who = ({ actorName, agentName, actorKind, actorId }: AccessEntry) => (
  <Cell>
    <Text overflowWrap="anywhere">{agentName ?? actorName ?? actorKindNames[actorKind]}</Text>
    {agentName === null || actorName === null ? null : <Small>{actorName}</Small>}
    <Small>{actorId}</Small>
  </Cell>
);

const What = ({ act, what }: AccessEntry) => (
  <Cell>
    <Text>{what}</Text>
    <Small>{act}</Small>
  </Cell>
);

const Result = ({ success, change, code }: AccessEntry) =>
  success ? (
    <Badge colorPalette={change ? "orange" : "blue"}>{change ? "Changed" : "Read"}</Badge>
  ) : (
    <Cell>
      <Badge colorPalette="gray">Not done</Badge>
      {code === null ? null : <Small>{formatName(code)}</Small>}
    </Cell>
  );

const Call = ({ callId, callStartedAt }: AccessEntry) => {
  if (callId === null) return "N/A";
  return (
    <Cell>
      {callStartedAt === null ? null : <DateTime at={callStartedAt} hasYear />}
      <Small>{callId}</Small>
    </Cell>
  );
};

const columnsOf = ({ kind, tenantId }: AccessReportDetail): Column<AccessEntry>[] => [
  { title: "Time", cell: ({ at }) => <DateTime at={at} hasYear /> },
  ...(kind === "patient" ? [{ title: "Who", cell: Who }] : []),
  { title: "What", cell: What },
  { title: "Result", cell: Result },
  { title: "Call", cell: Call },
  ...(kind === "user" ? [{ title: "Patient", cell: ({ patientIds }: AccessEntry) => patientIds.join(", ") || "N/A" }] : []),
  ...(tenantId === null ? [{ title: "Organization", cell: ({ tenantName }: AccessEntry) => tenantName ?? "The platform" }] : []),
];
