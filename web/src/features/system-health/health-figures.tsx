import type { SystemHealth } from "@vitaline/contract";
import { Bar } from "../../components/data/bar-list.tsx";
import { formatMilliseconds } from "../../lib/format/numbers.ts";
import { Figure, Figures, NoData } from "./figure.tsx";
import { HealthBadge } from "./health-lists.tsx";
import { formatUptime, healthLabel, type HealthLabel, uptimePeriod } from "./health-format.ts";

/** Shown as "not measured" until a measurement exists. */
const fallbacks = { uptimePercent: 99.9, apiResponseMs: 245 };

const voiceSentences: Record<HealthLabel["label"], string> = {
  Healthy: "Every active voice platform answered at the last check.",
  Warning: "A voice platform did not answer as it should at the last check.",
  Down: "No voice platform answered at the last check.",
  Unknown: "No active voice platform has been checked lately.",
};

export const HealthFigures = ({ health: { apiResponseTime, voiceAgentStatus, ...health } }: { health: SystemHealth }) => (
  <Figures label="Health figures">
    <Uptime {...health} />
    <ResponseTime ms={apiResponseTime} />
    <Figure name="Voice Agent Status" value={<HealthBadge status={voiceAgentStatus} />}>
      {voiceSentences[healthLabel(voiceAgentStatus).label]}
    </Figure>
  </Figures>
);

const Uptime = ({ uptime, uptimeSince, lastUpdated }: Pick<SystemHealth, "uptime" | "uptimeSince" | "lastUpdated">) =>
  uptime === null ? (
    <Figure name="Uptime" value={<NoData />}>{`Default, not measured: ${formatUptime(fallbacks.uptimePercent)}`}</Figure>
  ) : (
    <Figure name="Uptime" value={formatUptime(uptime)}>
      <Bar label="Uptime" value={uptime} text={formatUptime(uptime)} />
      <span>{uptimePeriod(uptimeSince, lastUpdated)}</span>
    </Figure>
  );

const ResponseTime = ({ ms }: { ms: number | null }) =>
  ms === null ? (
    <Figure name="API Response Time" value={<NoData />}>
      {`Default, not measured: ${formatMilliseconds(fallbacks.apiResponseMs)}`}
    </Figure>
  ) : (
    <Figure name="API Response Time" value={formatMilliseconds(ms)}>
      Median of the last check, excluding your own connection
    </Figure>
  );
