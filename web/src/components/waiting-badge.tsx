import { Badge } from "@chakra-ui/react/badge";
import { formatCount } from "../format/numbers.ts";

type Props = {
  /** Nothing is shown for none, nor as long as it is not known. */ count: number | undefined;
  /** Counting ended here: there may be more. */ most?: number;
  /** What they are, as in "3 waiting". */ what: string;
};

/** How many of something need somebody to look at them. */
export const WaitingBadge = ({ count = 0, most = Infinity, what }: Props) =>
  count === 0 ? null : <Badge colorPalette="orange">{`${formatCount(count)}${count >= most ? " or more" : ""} ${what}`}</Badge>;
