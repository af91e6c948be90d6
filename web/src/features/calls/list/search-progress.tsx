import { Button } from "@chakra-ui/react/button";
import { Flex } from "@chakra-ui/react/flex";
import { chakra } from "@chakra-ui/react/styled-system";
import { explain } from "../../../lib/api/api-error.ts";
import { Failure } from "../../../components/feedback/alerts.tsx";
import { formatCount } from "../../../lib/format/numbers.ts";
import { dayIn } from "../../../lib/format/zone-day.ts";
import { nameOfDays } from "../page-range.ts";
import type { CallSearch, SearchState } from "./use-call-search.ts";

const calls = (count: number): string => `${formatCount(count)} ${count === 1 ? "call" : "calls"}`;

/** "3 calls found, 75 of about 400 read" */
const describeSearch = ({ asked, found, read, total, next, isRunning }: SearchState): string => {
  const count = `${calls(found.length)} found`;
  if (asked.by === "number") return isRunning ? "Searching..." : next === null ? `${count}, that is all` : count;
  const extent =
    next === null && !isRunning ? `${calls(read)} read, that is all` : `${formatCount(read)} of about ${calls(total ?? read)} read`;
  return `${count}, ${extent}`;
};

/** Says what is listed instead of the filtered calls. */
export const describeAsked = (asked: CallSearch, zone: string): string => {
  if (asked.by === "number") return `Calls from ${asked.number}, at any time.`;
  return `Calls whose summary has “${asked.text}”, ${nameOfDays({ from: dayIn(zone, new Date(asked.from)), to: dayIn(zone, new Date(asked.to)) })}.`;
};

type Props = { state: SearchState; onStop: () => void; onGoOn: () => void; onClose: () => void };

export const SearchProgress = ({ state, onStop, onGoOn, onClose }: Props) => (
  <div>
    <Flex align="center" gap="3" wrap="wrap">
      <chakra.output textStyle="sm" fontWeight="semibold">
        {describeSearch(state)}
      </chakra.output>
      {state.isRunning ? (
        <Button size="sm" variant="outline" onClick={onStop}>
          Stop
        </Button>
      ) : state.next === null && state.error === undefined ? null : (
        <Button size="sm" variant="outline" onClick={onGoOn}>
          Keep searching
        </Button>
      )}
      <Button size="sm" variant="outline" onClick={onClose}>
        Back to the list
      </Button>
    </Flex>
    <Failure text={state.error === undefined ? undefined : explain(state.error)} />
  </div>
);
