import { type CallDetail, type ListedCall, tenantCalls } from "@vitaline/contract";
import { type ReactNode, useId, useState } from "react";
import { Grid } from "@chakra-ui/react/grid";
import { Stack } from "@chakra-ui/react/stack";
import { Text } from "@chakra-ui/react/text";
import { Heading } from "@chakra-ui/react/heading";
import { chakra } from "@chakra-ui/react/styled-system";
import { useApi } from "../../../lib/api/use-api.ts";
import { useRefresh } from "../../../lib/api/use-refresh.ts";
import { Dialog } from "../../../components/dialog/dialog.tsx";
import { IsolatedCache } from "../../../lib/api/isolated-cache.tsx";
import { Loadable, RowSkeletons } from "../../../components/feedback/loadable.tsx";
import { formatDuration, formatExactly, formatMoment, useZone } from "../../../lib/format/times.ts";
import { DateTime } from "../../../components/data/text.tsx";
import { Conversation } from "./conversation.tsx";
import { FollowUp } from "./follow-up.tsx";
import { ToolTimeline } from "./tool-timeline.tsx";
import { DetailList } from "../../../components/table/detail-list.tsx";
import { formatName, platformNames } from "../../../lib/format/labels.ts";
import { formatPhone } from "../../../lib/format/phone.ts";
import { callStatus, TestBadge, LiveBadge } from "../call-status.tsx";
import { outcomeBadge, outcomeNote, formatCost, formatLatency, formatScore } from "../call-format.ts";

type Props = {
  callId: string;
  /** Names by id */
  offices: ReadonlyMap<string, string>;
  onClose: () => void;
  onChanged: (call: ListedCall) => void;
};

/** Each opening fetches and audits the call again, and closing drops it from the cache. */
export const CallDialog = (props: Props) => (
  <IsolatedCache>
    <OpenCall {...props} />
  </IsolatedCache>
);

const OpenCall = ({ callId, offices, onClose, onChanged }: Props) => {
  const loaded = useApi(tenantCalls.readCall, { params: { callId } });
  const refresh = useRefresh();
  const [isDirty, setIsDirty] = useState(false);
  const zone = useZone();
  const { data } = loaded;
  const description = data && `${formatMoment(data.createdAt, zone)} · ${formatDuration(data.duration)}`;
  return (
    <Dialog title="Call details" size="xl" isDirty={isDirty} onClose={onClose} {...(description === undefined ? {} : { description })}>
      <Loadable loaded={loaded} what="the call" skeleton={<RowSkeletons />}>
        {(call) => (
          <CallView
            call={call}
            offices={offices}
            onDraft={setIsDirty}
            onReload={loaded.refresh}
            onChanged={async (changed) => {
              onChanged(changed);
              await refresh(tenantCalls.readCall);
            }}
          />
        )}
      </Loadable>
    </Dialog>
  );
};

type CallViewProps = {
  call: CallDetail;
  offices: ReadonlyMap<string, string>;
  onDraft: (isDraft: boolean) => void;
  onReload: () => void;
  onChanged: (call: ListedCall) => Promise<void>;
};

const CallView = ({ call, offices, ...followUp }: CallViewProps) => (
  <Stack gap="8">
    {call.isTest ? (
      <Text>
        <TestBadge /> Made in the browser to try the tools. It is in no figure, and needs no follow-up.
      </Text>
    ) : null}
    <FollowUp call={call} {...followUp} />
    <CallSection title="Summary">
      {call.textsRemovedAt === null ? (
        <Text whiteSpace="pre-wrap" overflowWrap="anywhere" color={call.summary === null ? "fg.muted" : "fg"}>
          {call.summary ?? "The voice platform sent no summary of this call."}
        </Text>
      ) : (
        <Text color="fg.muted">
          What was said in this call was removed on <DateTime at={call.textsRemovedAt} /> under the retention policy.
        </Text>
      )}
    </CallSection>
    <Grid templateColumns={{ base: "minmax(0, 1fr)", lg: "minmax(0, 2fr) minmax(0, 3fr)" }} columnGap="10" rowGap="8">
      <Stack gap="8">
        <CallSection title="Facts">
          <CallFacts call={call} offices={offices} />
        </CallSection>
        <CallSection title="Tools">
          <ToolTimeline call={call} />
        </CallSection>
        {call.analysis === null || Object.keys(call.analysis).length === 0 ? null : (
          <CallSection title="Analysis by the platform">
            <CallAnalysis analysis={call.analysis} />
          </CallSection>
        )}
      </Stack>
      {call.textsRemovedAt !== null && call.transcript === null ? null : (
        <CallSection title="Conversation">
          <Conversation transcript={call.transcript} />
        </CallSection>
      )}
    </Grid>
  </Stack>
);

const CallSection = ({ title, children }: { title: string; children: ReactNode }) => {
  const titleId = useId();
  return (
    <chakra.section aria-labelledby={titleId} minW="0">
      <Heading as="h3" size="md" id={titleId} mb="3">
        {title}
      </Heading>
      {children}
    </chakra.section>
  );
};

const CallFacts = ({ call, offices }: { call: CallDetail; offices: ReadonlyMap<string, string> }) => {
  const zone = useZone();
  const exactly = (instant: string) => formatExactly(instant, zone);
  return (
    <DetailList
      details={[
        ["Started", exactly(call.createdAt)],
        ["Ended", unlessNull(call.endedAt, exactly)],
        ["Duration", formatDuration(call.duration)],
        ["Status", <StatusText key="status" status={call.status} />],
        ["Ended because", unlessNull(call.endedReason, formatName)],
        ["Outcome", <Outcome key="outcome" call={call} />],
        ["Transferred to a person", call.forwarded ? "Yes" : "No"],
        ["Abandoned", call.abandoned ? "Yes" : "No"],
        ["Result", unlessNull(call.outcome, formatName)],
        ["Platform's verdict", unlessNull(call.success, (isSuccess) => (isSuccess ? "Successful" : "Unsuccessful"))],
        ["Scores", call.scores.length === 0 ? undefined : call.scores.map(formatScore).join(", ")],
        ["Caller's rating", unlessNull(call.rating, String)],
        ["Language", call.language ?? undefined],
        [
          "Consent to record",
          unlessNull(call.recordingConsent, ({ grantedAt }) => (grantedAt === null ? "Not granted" : exactly(grantedAt))),
        ],
        ["Caller's mood", unlessNull(call.sentiment, formatName)],
        ["Direction", unlessNull(call.direction, (direction) => (direction === "inbound" ? "Incoming" : "Outgoing"))],
        ["Caller's number", unlessNull(call.callerNumber, formatPhone)],
        ["Number called", unlessNull(call.calledNumber, formatPhone)],
        ["Transferred to", unlessNull(call.forwardedTo, formatPhone)],
        ["Office", unlessNull(call.officeId, (id) => offices.get(id) ?? id)],
        ["Agent", call.agentName ?? call.agentId ?? undefined],
        ["Voice platform", platformNames[call.platform]],
        ["Agent's reply time", unlessNull(call.latency, formatLatency)],
        ["Cost", unlessNull(call.cost, formatCost)],
        ["Platform's call ID", unlessNull(call.platformCallId, identity)],
      ]}
    />
  );
};

const Outcome = ({ call }: { call: CallDetail }) => {
  const note = outcomeNote(call);
  return (
    <>
      {outcomeBadge(call).name}
      {note === undefined ? null : (
        <Text as="span" color="fg.muted">
          {` (${note})`}
        </Text>
      )}
    </>
  );
};

const StatusText = ({ status }: Pick<CallDetail, "status">) => (
  <>
    {callStatus(status).name} <LiveBadge status={status} />
  </>
);

const unlessNull = <T,>(value: T | null, say: (value: T) => string): string | undefined => (value === null ? undefined : say(value));

const identity = (text: string): string => text;

const CallAnalysis = ({ analysis }: { analysis: NonNullable<CallDetail["analysis"]> }) => (
  <DetailList details={Object.entries(analysis).map(([name, value]) => [formatName(name) || name, formatValue(value)] as const)} />
);

const formatValue = (value: unknown): ReactNode => {
  if (value === null || value === undefined || value === "") return "N/A";
  if (typeof value === "boolean") return value ? "Yes" : "No";
  if (typeof value !== "object") return String(value);
  return (
    <chakra.pre fontFamily="mono" textStyle="xs" whiteSpace="pre-wrap" overflowWrap="anywhere">
      {JSON.stringify(value, null, 2)}
    </chakra.pre>
  );
};
