import { Badge } from "@chakra-ui/react/badge";
import { formatPercent } from "../format/numbers.ts";

const goodPercent = 80;

/** How many percent went well; good ones stand out. null while there is nothing to judge by. */
export const RateBadge = ({ percent }: { percent: number | null }) => (
  <Badge variant={percent !== null && percent > goodPercent ? "subtle" : "outline"} colorPalette="teal" flexShrink="0" title="Success rate">
    {percent === null ? "N/A" : formatPercent(percent)}
  </Badge>
);
