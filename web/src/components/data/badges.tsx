import { Badge } from "@chakra-ui/react/badge";
import { formatCount, formatPercent } from "../../lib/format/numbers.ts";

type Props = {
  /** undefined while unknown */
  count: number | undefined;
  /** The count stops here; there may be more. */
  most?: number;
  /** As in "3 {what}". */
  what: string;
};

/** Renders nothing for 0 and for an unknown count. */
export const WaitingBadge = ({ count = 0, most = Infinity, what }: Props) =>
  count === 0 ? null : <Badge colorPalette="orange">{`${formatCount(count)}${count >= most ? " or more" : ""} ${what}`}</Badge>;

const goodPercent = 80;

/** `percent` is null without data. */
export const RateBadge = ({ percent }: { percent: number | null }) => (
  <Badge variant={percent !== null && percent > goodPercent ? "subtle" : "outline"} colorPalette="teal" flexShrink="0" title="Success rate">
    {percent === null ? "N/A" : formatPercent(percent)}
  </Badge>
);

export const ActiveBadge = ({ isActive }: { isActive: boolean }) => (
  <Badge colorPalette={isActive ? "green" : "gray"} flexShrink="0">
    {isActive ? "Active" : "Inactive"}
  </Badge>
);
