import { Stack } from "@chakra-ui/react/stack";
import { chakra } from "@chakra-ui/react/styled-system";
import { calendarFeeds } from "@vitaline/contract";
import { useApi } from "../../lib/api/use-api.ts";
import type { TellDraft } from "../../lib/forms/drafts.ts";
import { Loadable, RowSkeletons } from "../../components/feedback/loadable.tsx";
import { CalendarFeed } from "./calendar-feed.tsx";

/** The secret address at which calendars subscribe to an office's appointments. */
export const CalendarPart = ({ officeId, onDraft }: { officeId: string; onDraft: TellDraft }) => {
  const feed = useApi(calendarFeeds.getCalendarFeed, { params: { officeId } });
  return (
    <Stack gap="5">
      <chakra.p textStyle="sm" color="fg.muted">
        Outlook, Google and Apple calendars can subscribe to the appointments that voice agents book here. They show the times and nothing
        of the patients. Whoever knows the address can read them.
      </chakra.p>
      <Loadable loaded={feed} what="the calendar" skeleton={<RowSkeletons />}>
        {(known) => <CalendarFeed officeId={officeId} feed={known} onChanged={feed.refresh} onDraft={onDraft} />}
      </Loadable>
    </Stack>
  );
};
