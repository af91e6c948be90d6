import type { CallDetail } from "@vitaline/contract";
import { DetailList } from "../../components/table/detail-list.tsx";
import { platformNames } from "../../lib/format/labels.ts";
import { formatDuration, formatExactly, useZone } from "../../lib/format/times.ts";
import { inWords } from "../../lib/format/text.ts";
import { callStatus } from "../tenant-dashboard/call-status.ts";
import { formatCost, formatLatency, outcomeOf } from "./call-words.ts";

/** Nothing where nobody has said. */
const told = <T,>(value: T | null, say: (value: T) => string): string | undefined => (value === null ? undefined : say(value));
const asItIs = (text: string): string => text;

/** A call's circumstances; those that nobody told are left out. */
export const CallFacts = ({ call, offices }: { call: CallDetail; offices: ReadonlyMap<string, string> }) => {
  const zone = useZone();
  const exactly = (instant: string) => formatExactly(instant, zone);
  return (
    <DetailList
      details={[
        ["Started", exactly(call.createdAt)],
        ["Ended", told(call.endedAt, exactly)],
        ["Duration", formatDuration(call.duration)],
        ["Status", callStatus(call.status).name],
        ["Ended because", told(call.endedReason, inWords)],
        ["Outcome", outcomeOf(call).name],
        ["Put through to a person", call.forwarded ? "Yes" : "No"],
        ["What came of it", told(call.outcome, inWords)],
        ["Platform's verdict", told(call.success, (isSuccess) => (isSuccess ? "Successful" : "Unsuccessful"))],
        ["Caller's mood", told(call.sentiment, inWords)],
        ["Direction", told(call.direction, (direction) => (direction === "inbound" ? "Incoming" : "Outgoing"))],
        ["Caller's number", told(call.callerNumber, asItIs)],
        ["Number called", told(call.calledNumber, asItIs)],
        ["Put through to", told(call.forwardedTo, asItIs)],
        ["Office", told(call.officeId, (id) => offices.get(id) ?? id)],
        ["Agent", call.agentName ?? call.agentId ?? undefined],
        ["Voice platform", platformNames[call.platform]],
        ["Agent's reply time", told(call.latency, formatLatency)],
        ["Cost", told(call.cost, formatCost)],
        ["Platform's call ID", told(call.platformCallId, asItIs)],
      ]}
    />
  );
};
