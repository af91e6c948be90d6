import { Badge } from "@chakra-ui/react/badge";
import { formatCount, formatPercent } from "../../lib/format/numbers.ts";

type Props = {
  /** Nothing is shown for none, nor as long as it is not known. */ count: number | undefined;
  /** Counting ended here: there may be more. */ most?: number;
  /** What they are, as in "3 waiting". */ what: string;
};

/** How many of something need somebody to look at them. */
export const WaitingBadge = ({ count = 0, most = Infinity, what }: Props) =>
  count === 0 ? null : <Badge colorPalette="orange">{`${formatCount(count)}${count >= most ? " or more" : ""} ${what}`}</Badge>;

const goodPercent = 80;

/** How many percent went well; good ones stand out. null while there is nothing to judge by. */
export const RateBadge = ({ percent }: { percent: number | null }) => (
  <Badge variant={percent !== null && percent > goodPercent ? "subtle" : "outline"} colorPalette="teal" flexShrink="0" title="Success rate">
    {percent === null ? "N/A" : formatPercent(percent)}
  </Badge>
);

/** Whether a tenant, a provider, an office or a key is switched on. */
export const ActiveBadge = ({ isActive }: { isActive: boolean }) => (
  <Badge colorPalette={isActive ? "green" : "gray"} flexShrink="0">
    {isActive ? "Active" : "Inactive"}
  </Badge>
);
