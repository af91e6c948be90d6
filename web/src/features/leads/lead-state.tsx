import { Button } from "@chakra-ui/react/button";
import { Stack } from "@chakra-ui/react/stack";
import { type Lead, leads } from "@vitaline/contract";
import { useState } from "react";
import { explain } from "../../lib/api/api-error.ts";
import { call } from "../../lib/api/call.ts";
import { useToldAction } from "../../lib/api/use-action.ts";
import { Announcement, Failure } from "../../components/feedback/notices.tsx";
import { leadStatus } from "./lead-words.ts";

type Props = {
  lead: Lead;
  /** Resolves once it is shown as it is now. */ onChanged: (lead: Lead) => Promise<void>;
  /** Asks again how things stand. */ onReload: () => void;
};

/** Marks a lead as handled, or as still to be. */
export const LeadState = ({ lead, onChanged, onReload }: Props) => {
  const [said, setSaid] = useState("");
  const isHandled = lead.handledAt !== null;
  const mark = async (): Promise<void> => {
    const marked = { params: { leadId: lead.id }, body: { handled: !isHandled } };
    const changed = await call(leads.handleLead, marked, { ifMatch: lead.version });
    await onChanged(changed);
    setSaid(`Status: ${leadStatus(changed).name}`);
  };
  const { run, isBusy, failure } = useToldAction(mark, (error) => {
    // Somebody else may have been faster: what they made of it shows beside the refusal.
    onReload();
    return explain(error);
  });
  const action = isHandled ? "Mark as still to be handled" : "Mark as handled";
  return (
    <Stack gap="4" align="flex-start">
      <Failure text={failure} />
      <Button variant={isHandled ? "outline" : "solid"} aria-disabled={isBusy} onClick={() => run()}>
        {isBusy ? "Saving..." : action}
      </Button>
      <Announcement text={said} />
    </Stack>
  );
};
