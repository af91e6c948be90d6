import { Button } from "@chakra-ui/react/button";
import { chakra } from "@chakra-ui/react/styled-system";
import { Text } from "@chakra-ui/react/text";
import type { CallDetail } from "@vitaline/contract";
import { useState } from "react";
import { formatCount } from "../../../lib/format/numbers.ts";
import { formatOffset, speakerName } from "../call-format.ts";

type Transcript = NonNullable<CallDetail["transcript"]>;
type Message = NonNullable<Transcript["messages"]>[number];

/** Longer conversations are rendered in full only on request. */
const maxTurns = 200;

export const Conversation = ({ transcript }: { transcript: Transcript | null }) => {
  const [isWhole, setIsWhole] = useState(false);
  const turns = transcript?.messages ?? [];
  if (turns.length === 0)
    return transcript?.text ? (
      <Text textStyle="sm" whiteSpace="pre-wrap" overflowWrap="anywhere">
        {transcript.text}
      </Text>
    ) : (
      <Text color="fg.muted">The voice platform sent no transcript of this call.</Text>
    );
  return (
    <>
      <chakra.ol listStyleType="none" display="flex" flexDirection="column" gap="3.5">
        {(isWhole ? turns : turns.slice(0, maxTurns)).map((said, index) => (
          <Turn key={index} said={said} takesFocus={isWhole && index === maxTurns} />
        ))}
      </chakra.ol>
      {isWhole || turns.length <= maxTurns ? null : (
        <Button variant="outline" size="sm" mt="4" onClick={() => setIsWhole(true)}>
          {`Show all ${formatCount(turns.length)} turns`}
        </Button>
      )}
    </>
  );
};

/** `takesFocus` marks the first turn after "Show all", whose button disappears. */
const Turn = ({ said: { role, text, atSeconds }, takesFocus }: { said: Message; takesFocus: boolean }) => {
  const { alignSelf, ...bubble } = bubbleStyle(role);
  return (
    <chakra.li
      display="flex"
      flexDirection="column"
      alignItems={alignSelf}
      outline="0"
      css={{ contentVisibility: "auto", containIntrinsicSize: "auto 4.5rem" }}
      tabIndex={takesFocus ? -1 : undefined}
      ref={takesFocus ? (turn: HTMLLIElement | null) => turn?.focus() : undefined}
    >
      <chakra.span textStyle="xs" color="fg.muted" mb="1">
        <chakra.span fontWeight="semibold">{speakerName(role)}</chakra.span>
        {atSeconds === undefined ? "" : ` · ${formatOffset(atSeconds)}`}
      </chakra.span>
      <chakra.p {...bubble} maxW="90%" px="3.5" py="2" borderRadius="l2" textStyle="sm" whiteSpace="pre-wrap" overflowWrap="anywhere">
        {text}
      </chakra.p>
    </chakra.li>
  );
};

const bubbleStyles = {
  caller: { alignSelf: "flex-start", bg: "bg.muted", color: "fg" },
  assistant: { alignSelf: "flex-end", bg: "teal.subtle", color: "teal.fg" },
  staff: { alignSelf: "flex-end", bg: "blue.subtle", color: "blue.fg" },
} as const;

const bubbleStyle = (role: string) => (role === "assistant" || role === "staff" ? bubbleStyles[role] : bubbleStyles.caller);
