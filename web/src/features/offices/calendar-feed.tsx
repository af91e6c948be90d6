import { Button } from "@chakra-ui/react/button";
import { Stack } from "@chakra-ui/react/stack";
import { chakra } from "@chakra-ui/react/styled-system";
import { type CalendarFeed as FeedFacts, calendarFeeds } from "@vitaline/contract";
import { useState } from "react";
import { call } from "../../lib/api/call.ts";
import { useToldAction } from "../../lib/api/use-action.ts";
import { type TellDraft, useDraft } from "../../lib/forms/drafts.ts";
import { useLaterFocus } from "../../lib/dom/use-later-focus.ts";
import { Confirmation } from "../../components/dialog/confirmation.tsx";
import { Failure } from "../../components/feedback/notices.tsx";
import { AddressSince, ShownAddress } from "./calendar-address.tsx";
import { calendarQuestions } from "./calendar-questions.ts";

type Props = { officeId: string; feed: FeedFacts; onChanged: () => void; onDraft: TellDraft };

/** Makes the address, shows it this once, and ends it. */
export const CalendarFeed = ({ officeId, feed: { isOn, createdAt }, onChanged, onDraft }: Props) => {
  const [asked, setAsked] = useState<keyof typeof calendarQuestions>();
  // Whoever knows it reads the calendar: it is kept nowhere but here, until the dialog closes.
  const [address, setAddress] = useState<string>();
  const [isCopied, setIsCopied] = useState(false);
  useDraft(address !== undefined && !isCopied, "calendar", onDraft);
  const { button: makeButton, focusLater } = useLaterFocus();
  const request = { params: { officeId } };
  const act = useToldAction(async (what: keyof typeof calendarQuestions) => {
    try {
      if (what === "renew") {
        setAddress((await call(calendarFeeds.renewCalendarFeed, request)).url);
        setIsCopied(false);
      } else {
        await call(calendarFeeds.endCalendarFeed, request);
        setAddress(undefined);
        // The button that was pressed goes.
        focusLater();
      }
      onChanged();
    } finally {
      setAsked(undefined);
    }
  });
  const question = asked && calendarQuestions[asked];
  // What was made here is there before the server has been asked anew.
  const isThere = isOn || address !== undefined;
  return (
    <Stack gap="5" align="flex-start">
      {address === undefined ? (
        <AddressSince createdAt={isOn ? createdAt : null} />
      ) : (
        <ShownAddress address={address} onCopied={() => setIsCopied(true)} />
      )}
      <Failure text={act.failure} />
      <chakra.div display="flex" flexWrap="wrap" gap="3">
        <Button
          ref={makeButton}
          variant={isThere ? "outline" : "solid"}
          aria-disabled={act.isBusy}
          onClick={() => (isThere ? setAsked("renew") : act.run("renew"))}
        >
          {isThere ? "Replace address" : act.isBusy ? "Making..." : "Make address"}
        </Button>
        {isThere ? (
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
