import { Grid } from "@chakra-ui/react/grid";
import { Stack } from "@chakra-ui/react/stack";
import { Text } from "@chakra-ui/react/text";
import type { CallDetail, ListedCall } from "@vitaline/contract";
import { Moment } from "../../components/data/text.tsx";
import { CallAnalysis } from "./call-analysis.tsx";
import { CallFacts } from "./call-facts.tsx";
import { CallPart } from "./call-part.tsx";
import { Conversation } from "./conversation.tsx";
import { FollowUp } from "./follow-up.tsx";
import { ToolTimeline } from "./tool-timeline.tsx";

type Props = {
  call: CallDetail;
  /** Names by id. */ offices: ReadonlyMap<string, string>;
  onDraft: (isDraft: boolean) => void;
  onReload: () => void;
  onChanged: (call: ListedCall) => Promise<void>;
};

/** What is known of a call: first what is to be done, then what it was about, then how it went. */
export const CallView = ({ call, offices, ...followUp }: Props) => (
  <Stack gap="8">
    <FollowUp call={call} {...followUp} />
    <CallPart title="Summary">
      {call.textsRemovedAt === null ? (
        <Text whiteSpace="pre-wrap" overflowWrap="anywhere" color={call.summary === null ? "fg.muted" : "fg"}>
          {call.summary ?? "The voice platform sent no summary of this call."}
        </Text>
      ) : (
        <Text color="fg.muted">
          What was said in this call was removed on <Moment at={call.textsRemovedAt} /> under the retention policy.
        </Text>
      )}
    </CallPart>
    <Grid templateColumns={{ base: "minmax(0, 1fr)", lg: "minmax(0, 2fr) minmax(0, 3fr)" }} columnGap="10" rowGap="8">
      <Stack gap="8">
        <CallPart title="Facts">
          <CallFacts call={call} offices={offices} />
        </CallPart>
        <CallPart title="Tools">
          <ToolTimeline call={call} />
        </CallPart>
        {call.analysis === null || Object.keys(call.analysis).length === 0 ? null : (
          <CallPart title="Analysis by the platform">
            <CallAnalysis analysis={call.analysis} />
          </CallPart>
        )}
      </Stack>
      {call.textsRemovedAt !== null && call.transcript === null ? null : (
        <CallPart title="Conversation">
          <Conversation transcript={call.transcript} />
        </CallPart>
      )}
    </Grid>
  </Stack>
);
