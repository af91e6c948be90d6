import { Button } from "@chakra-ui/react/button";
import { Stack } from "@chakra-ui/react/stack";
import { chakra } from "@chakra-ui/react/styled-system";
import { type CalendarFeed as FeedFacts, calendarFeeds } from "@vitaline/contract";
import { useState } from "react";
import { call } from "../../api/call.ts";
import { CodeBlock } from "../../components/code-block.tsx";
import { Confirmation } from "../../components/confirmation.tsx";
import { Moment } from "../../components/moment.tsx";
import { Failure } from "../../components/failure.tsx";
import { useToldAction } from "../../api/use-told-action.ts";

type Props = { officeId: string; feed: FeedFacts; onChanged: () => void };

/** Making a new address ends the one before, so it asks first where there is one. */
const questions = {
  renew: {
    title: "Make a new address?",
    text: "Calendars that have subscribed to the address from before will no longer be kept up to date.",
    action: "Make new address",
    busy: "Making...",
  },
  end: {
    title: "End the calendar address?",
    text: "Calendars that have subscribed to it will no longer be kept up to date.",
    action: "End address",
    busy: "Ending...",
  },
} as const;

/** Makes the address, shows it this once, and ends it. */
export const CalendarFeed = ({ officeId, feed: { isOn, createdAt }, onChanged }: Props) => {
  const [asked, setAsked] = useState<keyof typeof questions>();
  // Whoever knows it reads the calendar: it is kept nowhere but here, until the dialog closes.
  const [address, setAddress] = useState<string>();
  const request = { params: { officeId } };
  const act = useToldAction(async (what: keyof typeof questions) => {
    try {
      if (what === "renew") setAddress((await call(calendarFeeds.renewCalendarFeed, request)).url);
      else {
        await call(calendarFeeds.endCalendarFeed, request);
        setAddress(undefined);
      }
      onChanged();
    } finally {
      setAsked(undefined);
    }
  });
  const question = asked && questions[asked];
  return (
    <Stack gap="5" align="flex-start">
      <chakra.p textStyle="sm">
        {isOn && createdAt !== null ? (
          <>
            The calendar has an address since <Moment at={createdAt} />.
          </>
        ) : (
          "The calendar has no address yet."
        )}
      </chakra.p>
      {address === undefined ? null : (
        <Stack gap="2" w="full">
          <CodeBlock label="Calendar address" text={address} />
          <chakra.p textStyle="sm" fontWeight="medium">
            Copy it now: it is not shown again.
          </chakra.p>
        </Stack>
      )}
      <Failure text={act.failure} />
      <chakra.div display="flex" flexWrap="wrap" gap="3">
        <Button aria-disabled={act.isBusy} onClick={() => (isOn ? setAsked("renew") : act.run("renew"))}>
          {act.isBusy && !isOn ? "Making..." : isOn ? "Make new address" : "Make address"}
        </Button>
        {isOn ? (
          <Button variant="outline" onClick={() => setAsked("end")}>
            End address
          </Button>
        ) : null}
      </chakra.div>
      {asked === undefined || question === undefined ? null : (
        <Confirmation
          title={question.title}
          action={question.action}
          busyAction={question.busy}
          isBusy={act.isBusy}
          isDangerous
          onConfirm={() => act.run(asked)}
          onCancel={() => setAsked(undefined)}
        >
          {question.text}
        </Confirmation>
      )}
    </Stack>
  );
};
