import { chakra } from "@chakra-ui/react/styled-system";
import type { Series } from "./day-measures.ts";

const Sample = ({ look }: Pick<Series, "look">) => (
  <chakra.svg viewBox="0 0 24 12" w="6" h="3" flexShrink="0" aria-hidden>
    {look === "column" ? (
      <chakra.rect x="5" y="0.5" width="14" height="11" rx="2" fill="teal.muted" stroke="teal.border" />
    ) : (
      <chakra.line
        x1="0"
        x2="24"
        y1="6"
        y2="6"
        strokeWidth="2"
        stroke={look === "line" ? "blue.solid" : "orange.solid"}
        strokeDasharray={look === "dashes" ? "5 4" : "none"}
      />
    )}
    {look === "line" ? <chakra.circle cx="12" cy="6" r="3" fill="blue.solid" /> : null}
  </chakra.svg>
);

/** What is drawn how. */
export const ChartLegend = ({ series }: { series: readonly Series[] }) => (
  <chakra.ul listStyleType="none" display="flex" flexWrap="wrap" columnGap="5" rowGap="1" textStyle="sm" color="fg.muted">
    {series.map(({ key, name, look }) => (
      <chakra.li key={key} display="flex" alignItems="center" gap="2">
        <Sample look={look} />
        {name}
      </chakra.li>
    ))}
  </chakra.ul>
);
