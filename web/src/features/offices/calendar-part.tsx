import { Stack } from "@chakra-ui/react/stack";
import { chakra } from "@chakra-ui/react/styled-system";
import { calendarFeeds, type CalendarFeed as FeedFacts } from "@vitaline/contract";
import { Button } from "@chakra-ui/react/button";
import { useState } from "react";
import { useApi } from "../../lib/api/use-api.ts";
import { type ReportDraft, useReportDraft } from "../../lib/forms/drafts.ts";
import { Loadable, RowSkeletons } from "../../components/feedback/loadable.tsx";
import { call } from "../../lib/api/call.ts";
import { useInlineAction } from "../../lib/api/use-action.ts";
import { useFocusLater } from "../../lib/dom/use-later-focus.ts";
import { Confirmation } from "../../components/dialog/confirmation.tsx";
import { Failure } from "../../components/feedback/alerts.tsx";
import { CodeBlock } from "../../components/data/copy-button.tsx";
import { DateTime } from "../../components/data/text.tsx";

/** The secret address of an office's calendar feed. */
export const CalendarPart = ({ officeId, onDraft }: { officeId: string; onDraft: ReportDraft }) => {
  const feed = useApi(calendarFeeds.getCalendarFeed, { params: { officeId } });
  return (
    <Stack gap="5">
      <chakra.p textStyle="sm" color="fg.muted">
        Outlook, Google and Apple calendars can subscribe to the appointments that voice agents book here. They show only the times, and
        nothing of the patients. Anyone with the address can read them.
      </chakra.p>
      <Loadable loaded={feed} what="the calendar" skeleton={<RowSkeletons />}>
        {(known) => <CalendarFeed officeId={officeId} feed={known} onChanged={feed.refresh} onDraft={onDraft} />}
      </Loadable>
    </Stack>
  );
};

type Props = { officeId: string; feed: FeedFacts; onChanged: () => void; onDraft: ReportDraft };

/** A new address invalidates the old one. */
const calendarQuestions = {
  renew: {
    title: "Replace the calendar address?",
    text: "Calendars that have subscribed to the previous address will no longer be kept up to date.",
    action: "Replace address",
    busy: "Replacing...",
  },
  end: {
    title: "Remove the calendar address?",
    text: "Calendars that have subscribed to it will no longer be kept up to date.",
    action: "Remove address",
    busy: "Removing...",
  },
} as const;

const CalendarFeed = ({ officeId, feed: { isOn, createdAt }, onChanged, onDraft }: Props) => {
  const [asked, setAsked] = useState<keyof typeof calendarQuestions>();
  // Knowing the address grants access to the calendar: it is kept in memory only.
  const [address, setAddress] = useState<string>();
  const [isCopied, setIsCopied] = useState(false);
  useReportDraft(address !== undefined && !isCopied, "calendar", onDraft);
  const { button: makeButton, focusLater } = useFocusLater();
  const request = { params: { officeId } };
  const act = useInlineAction(async (what: keyof typeof calendarQuestions) => {
    try {
      if (what === "renew") {
        setAddress((await call(calendarFeeds.renewCalendarFeed, request)).url);
        setIsCopied(false);
      } else {
        await call(calendarFeeds.endCalendarFeed, request);
        setAddress(undefined);
        focusLater();
      }
      onChanged();
    } finally {
      setAsked(undefined);
    }
  });
  const question = asked && calendarQuestions[asked];
  // True before the server has been read again.
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
          {isThere ? "Replace address" : act.isBusy ? "Creating..." : "Create address"}
        </Button>
        {isThere ? (
          <Button variant="outline" onClick={() => setAsked("end")}>
            Remove address
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

const AddressSince = ({ createdAt }: { createdAt: string | null }) => (
  <chakra.p textStyle="sm">
    {createdAt === null ? (
      "No address yet."
    ) : (
      <>
        Address created <DateTime at={createdAt} />.
      </>
    )}
  </chakra.p>
);

const ShownAddress = ({ address, onCopied }: { address: string; onCopied: () => void }) => (
  <Stack gap="2" w="full" css={{ "& pre": { whiteSpace: "pre-wrap", overflowWrap: "anywhere" } }}>
    <CodeBlock label="Calendar address" text={address} onCopied={onCopied} />
    <chakra.p textStyle="sm" fontWeight="medium">
      Copy it now: it is not shown again.
    </chakra.p>
  </Stack>
);
