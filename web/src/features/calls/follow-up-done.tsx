import { Text } from "@chakra-ui/react/text";
import type { CallDetail } from "@vitaline/contract";
import { useAuth } from "../../lib/session/auth.tsx";
import { Moment } from "../../components/data/text.tsx";

/** Who has looked after the caller, when, and what they noted. */
export const FollowUpDone = ({ followUp: { doneAt, doneBy, note } }: { followUp: NonNullable<CallDetail["followUp"]> }) => {
  const { user } = useAuth();
  return (
    <>
      <Text textStyle="sm">
        <Moment at={doneAt} />
        {doneBy === user?.id ? ", by you" : ", by somebody else of your organization"}
      </Text>
      {note === null ? null : (
        <Text mt="2" whiteSpace="pre-wrap" overflowWrap="anywhere">
          {note}
        </Text>
      )}
    </>
  );
};
