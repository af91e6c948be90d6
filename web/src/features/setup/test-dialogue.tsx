import { Flex } from "@chakra-ui/react/flex";
import { chakra } from "@chakra-ui/react/styled-system";
import { Text } from "@chakra-ui/react/text";
import { Announcement } from "../../components/feedback/alerts.tsx";
import { formatMilliseconds } from "../../lib/format/numbers.ts";
import type { Turn } from "./use-browser-call.ts";

type Props = { turns: readonly Turn[]; isOver: boolean };

const heard = ({ note, asked }: Turn): string => [note, asked && `${asked.name}: ${asked.speech}`].filter(Boolean).join(" ");

export const TestDialogue = ({ turns, isOver }: Props) => {
  const last = turns.at(-1);
  return (
    <>
      <Announcement text={isOver ? "The test call has ended." : last ? heard(last) : "The test call has begun."} />
      {turns.length === 0 ? (
        <Text color="fg.muted">
          {isOver ? "No tool was used." : "The call has begun. Type what the caller says first, or choose a tool."}
        </Text>
      ) : (
        <chakra.ol listStyleType="none" display="grid" gap="4" aria-label="Test call">
          {turns.map((turn) => (
            <li key={turn.count}>
              <TurnLines turn={turn} />
            </li>
          ))}
        </chakra.ol>
      )}
    </>
  );
};

const argumentsOf = (values: Record<string, unknown>): string =>
  Object.entries(values)
    .map(([name, value]) => `${name}: ${typeof value === "string" ? value : JSON.stringify(value)}`)
    .join(", ");

const TurnLines = ({ turn: { said, note, asked } }: { turn: Turn }) => (
  <>
    {said === undefined ? null : (
      <Text overflowWrap="anywhere" mb="1">
        <chakra.span fontWeight="semibold">The caller: </chakra.span>
        {said}
      </Text>
    )}
    {note === undefined ? null : (
      <Text textStyle="sm" color="fg.warning" mb="1">
        {note}
      </Text>
    )}
    {asked ? (
      <>
        <Flex gap="3" wrap="wrap" textStyle="sm" color="fg.muted">
          <chakra.span overflowWrap="anywhere">
            {`The agent uses ${asked.name}${said === undefined ? "" : ` (${argumentsOf(asked.values)})`}`}
          </chakra.span>
          <span>{formatMilliseconds(asked.ms)}</span>
        </Flex>
        <chakra.blockquote m="0" mt="1" ps="4" borderInlineStartWidth="3px" borderColor="teal.solid" overflowWrap="anywhere">
          {asked.speech}
        </chakra.blockquote>
      </>
    ) : null}
  </>
);
