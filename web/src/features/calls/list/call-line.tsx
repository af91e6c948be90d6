import { chakra } from "@chakra-ui/react/styled-system";
import { VisuallyHidden } from "@chakra-ui/react/visually-hidden";
import type { ListedCall } from "@vitaline/contract";
import { TestBadge } from "../call-status.tsx";
import { intentName, maskedNumber, resultsOf } from "./call-facts.ts";

type Props = {
  call: ListedCall;
  /** Names by id */
  offices: ReadonlyMap<string, string>;
  /** Of the summary, where a search found it */
  excerpt?: string | undefined;
};

/** What tells one call from another: why, what came of it, from where, who answered. */
export const CallLine = ({ call, offices, excerpt }: Props) => {
  const parts = [
    ...resultsOf(call),
    ...(call.agentName === null ? [] : [call.agentName]),
    ...(call.officeId === null ? [] : [offices.get(call.officeId) ?? []].flat()),
  ];
  const failed = call.toolFailed ? <chakra.span color="red.fg">A tool failed</chakra.span> : null;
  return (
    <>
      <chakra.div display="flex" flexWrap="wrap" columnGap="3" rowGap="0.5" color="fg.muted" textStyle="sm">
        {call.isTest ? <TestBadge /> : null}
        <chakra.span color={call.intent === null ? "fg.muted" : "fg"} fontWeight={call.intent === null ? "normal" : "semibold"}>
          {intentName(call)}
        </chakra.span>
        {call.numberEnding === null ? null : <MaskedNumber ending={call.numberEnding} />}
        {failed}
        {parts.map((part) => (
          <chakra.span key={part} overflowWrap="anywhere">
            {part}
          </chakra.span>
        ))}
      </chakra.div>
      {excerpt === undefined ? null : (
        <chakra.p mt="1" textStyle="sm" overflowWrap="anywhere">
          {excerpt}
        </chakra.p>
      )}
    </>
  );
};

const MaskedNumber = ({ ending }: { ending: string }) => (
  <chakra.span whiteSpace="nowrap" fontVariantNumeric="tabular-nums">
    <span aria-hidden>{maskedNumber(ending)}</span>
    <VisuallyHidden>{`Number ending in ${ending}`}</VisuallyHidden>
  </chakra.span>
);
