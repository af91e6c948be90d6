import { chakra } from "@chakra-ui/react/styled-system";
import type { FhirHealth } from "@vitaline/contract";
import { formatMoment, useZone } from "../../lib/format/times.ts";
import { historyWords } from "./history-words.ts";

/** In pixels: of a mark, with the gap behind it. */
const step = 9;
const width = 5;
const height = 14;

/** A healthy check stands like a post; one that failed is a cross, so that colour is not all that tells them apart. */
const Mark = ({ isHealthy, x }: { isHealthy: boolean; x: number }) =>
  isHealthy ? (
    <chakra.g color="green.solid">
      <rect x={x + 1} width={3} height={height} rx={1} fill="currentColor" />
    </chakra.g>
  ) : (
    <chakra.g color="red.solid">
      <path
        d={`M${x},${(height - width) / 2} l${width},${width} m0,-${width} l-${width},${width}`}
        stroke="currentColor"
        strokeWidth={2}
        strokeLinecap="round"
      />
    </chakra.g>
  );

/** How the last checks of a connection went, the newest at the right. Nothing as long as there was none. */
export const HealthHistory = ({ history }: Pick<FhirHealth, "history">) => {
  const zone = useZone();
  if (history.length === 0) return null;
  const words = historyWords(history, (instant) => formatMoment(instant, zone));
  return (
    <chakra.span title={words} display="block" w="fit-content" maxW="100%" py="0.5">
      <svg
        role="img"
        aria-label={words}
        width={history.length * step}
        height={height}
        viewBox={`-1 0 ${history.length * step} ${height}`}
        style={{ maxWidth: "100%" }}
      >
        {history.map(({ at, status }, index) => (
          <Mark key={`${at} ${index}`} isHealthy={status === "healthy"} x={index * step} />
        ))}
      </svg>
    </chakra.span>
  );
};
