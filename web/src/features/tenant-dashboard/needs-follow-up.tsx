import { Text } from "@chakra-ui/react/text";
import { ButtonLink } from "../../components/layout/links.tsx";
import { Figure } from "./month-usage.tsx";
import { Loadable, ShortSkeleton } from "../../components/feedback/loadable.tsx";
import { Panel } from "../../components/layout/panel.tsx";
import { followUpLimit, useFollowUps } from "./recent-calls.tsx";

export const NeedsFollowUp = () => {
  const calls = useFollowUps();
  return (
    <Panel title="Needs follow-up" description={`Among the latest ${followUpLimit} calls`}>
      <Loadable loaded={calls} what="calls that need follow-up" skeleton={<ShortSkeleton />}>
        {({ length }) =>
          length === 0 ? (
            <Text color="fg.muted">{`None of the latest ${followUpLimit} calls needs follow-up.`}</Text>
          ) : (
            <>
              <Figure value={String(length)} unit={length === 1 ? "call" : "calls"} />
              <Text textStyle="sm" color="fg.muted" mt="1" mb="4">
                Calls that failed, went unanswered, or did not help the caller.
              </Text>
              <ButtonLink to="/tenant/calls?range=all&needsFollowUp=true" size="sm" variant="outline" alignSelf="flex-start">
                Review these calls
              </ButtonLink>
            </>
          )
        }
      </Loadable>
    </Panel>
  );
};
