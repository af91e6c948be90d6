import type { HealthStatus, SystemHealth } from "@vitaline/contract";
import { Bar } from "../../components/bar.tsx";
import { formatCount } from "../../format/numbers.ts";
import { Figure, Figures } from "./figure.tsx";
import { HealthBadge } from "./health-badge.tsx";

/** Shown, and said to be no measurement, until somebody has measured. */
const fallbacks = { uptimePercent: 99.9, apiResponseMs: 245 };
const noData = "No data yet, default shown";

/** As many decimals as the platform counts. */
const formatUptime = (percent: number): string => `${percent.toLocaleString("en-US", { maximumFractionDigits: 2 })}%`;

const voiceSentences: Record<HealthStatus, string> = {
  healthy: "Every active voice platform answered at the last check.",
  warning: "A voice platform did not answer as it should at the last check.",
  error: "No voice platform answered at the last check.",
  unknown: "No active voice platform has been checked lately.",
};

/** The three figures of the platform's health. */
export const HealthFigures = ({ health: { uptime, apiResponseTime, voiceAgentStatus } }: { health: SystemHealth }) => {
  const percent = uptime ?? fallbacks.uptimePercent;
  return (
    <Figures label="Health figures">
      <Figure name="Uptime" value={formatUptime(percent)}>
        <Bar label="Uptime" value={percent} text={uptime === null ? `${formatUptime(percent)}, ${noData}` : formatUptime(percent)} />
        <span>{uptime === null ? noData : "Of the last 30 days"}</span>
      </Figure>
      <Figure name="API Response Time" value={`${formatCount(apiResponseTime ?? fallbacks.apiResponseMs)} ms`}>
        {apiResponseTime === null ? noData : "Median of the last check, without the way to your browser"}
      </Figure>
      <Figure name="Voice Agent Status" value={<HealthBadge status={voiceAgentStatus} />}>
        {voiceSentences[voiceAgentStatus]}
      </Figure>
    </Figures>
  );
};
