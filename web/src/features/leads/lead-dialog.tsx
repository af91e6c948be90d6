import { Stack } from "@chakra-ui/react/stack";
import { Text } from "@chakra-ui/react/text";
import { type Lead, type LeadDetail, leads } from "@vitaline/contract";
import { Button } from "@chakra-ui/react/button";
import { useState } from "react";
import { Link } from "@chakra-ui/react/link";
import { useApi } from "../../lib/api/use-api.ts";
import { useRefresh } from "../../lib/api/use-refresh.ts";
import { Dialog } from "../../components/dialog/dialog.tsx";
import { IsolatedCache } from "../../lib/api/isolated-cache.tsx";
import { Loadable, RowSkeletons } from "../../components/feedback/loadable.tsx";
import { explain } from "../../lib/api/api-error.ts";
import { call } from "../../lib/api/call.ts";
import { useInlineAction } from "../../lib/api/use-action.ts";
import { Announcement, Failure } from "../../components/feedback/alerts.tsx";
import { leadReasonNames, leadStatus, LeadStatusBadge } from "./lead-format.tsx";
import { DetailList } from "../../components/table/detail-list.tsx";
import { DateTime } from "../../components/data/text.tsx";
import { TextLink } from "../../components/layout/links.tsx";
import { formatPhone, phoneLink } from "../../lib/format/phone.ts";

type Props = {
  leadId: string;
  offices: ReadonlyMap<string, string>;
  onClose: () => void;
  onChanged: (lead: Lead) => void;
  /** A colleague seems to have changed it */
  onOutdated: () => void;
};

/** Each opening fetches and audits the lead again, and closing drops it from the cache. */
const LeadDialog = (props: Props) => (
  <IsolatedCache>
    <OpenLead {...props} />
  </IsolatedCache>
);

const OpenLead = ({ leadId, offices, onClose, onChanged, onOutdated }: Props) => {
  const loaded = useApi(leads.readLead, { params: { leadId } });
  const refresh = useRefresh();
  const showChanged = async (changed: Lead): Promise<void> => {
    onChanged(changed);
    await refresh(leads.readLead);
  };
  const reload = () => {
    loaded.refresh();
    onOutdated();
  };
  return (
    <Dialog title="Lead" onClose={onClose}>
      <Loadable loaded={loaded} what="the lead" skeleton={<RowSkeletons />}>
        {(lead) => (
          <Stack gap="6">
            <LeadFacts lead={lead} offices={offices} />
            <HandledButton lead={lead} onChanged={showChanged} onReload={reload} />
            <Text textStyle="sm" color="fg.muted">
              Reading this lead is recorded in the audit log.
            </Text>
          </Stack>
        )}
      </Loadable>
    </Dialog>
  );
};

type LeadFactsProps = { lead: LeadDetail; offices: ReadonlyMap<string, string> };

const LeadFacts = ({ lead, offices }: LeadFactsProps) => {
  const { reason, createdAt, handledAt, callId, officeId, contact } = lead;
  return (
    <DetailList
      details={[
        ["Name", contact.name],
        ["Phone", contact.phone === null ? "Not given" : <Phone key="phone" number={contact.phone} />],
        ["Email", contact.email === null ? "Not given" : <Mail key="mail" address={contact.email} />],
        ["Reason", leadReasonNames[reason]],
        ["Note", contact.note ?? "None"],
        ["Office", officeId === null ? "Any office" : (offices.get(officeId) ?? "Another office")],
        ["Received", <DateTime key="received" at={createdAt} />],
        ["Came from", callId === null ? "Added by staff" : <CallLink key="call" callId={callId} />],
        ["Status", <LeadStatusBadge key="status" lead={lead} />],
        ["Handled", handledAt === null ? undefined : <DateTime key="handled" at={handledAt} />],
      ]}
    />
  );
};

const Phone = ({ number }: { number: string }) => <Link href={phoneLink(number)}>{formatPhone(number)}</Link>;

/** Encoded, so that a caller's text cannot add a subject or recipients. */
const Mail = ({ address }: { address: string }) => (
  <Link href={`mailto:${encodeURIComponent(address).replace("%40", "@")}`}>{address}</Link>
);

const CallLink = ({ callId }: { callId: string }) => <TextLink to={`/tenant/calls?call=${callId}`}>View the call</TextLink>;

type HandledButtonProps = {
  lead: Lead;
  /** Resolves once the change is visible */
  onChanged: (lead: Lead) => Promise<void>;
  onReload: () => void;
};

const HandledButton = ({ lead, onChanged, onReload }: HandledButtonProps) => {
  const [message, setMessage] = useState("");
  const isHandled = lead.handledAt !== null;
  const mark = async (): Promise<void> => {
    const marked = { params: { leadId: lead.id }, body: { handled: !isHandled } };
    const changed = await call(leads.handleLead, marked, { ifMatch: lead.version });
    await onChanged(changed);
    setMessage(`Status: ${leadStatus(changed).name}`);
  };
  const { run, isBusy, failure } = useInlineAction(mark, (error) => {
    // A colleague may have changed the lead; show its current state beside the error.
    onReload();
    return explain(error);
  });
  const action = isHandled ? "Mark as not handled" : "Mark as handled";
  return (
    <Stack gap="4" align="flex-start">
      <Failure text={failure} />
      <Button variant={isHandled ? "outline" : "solid"} aria-disabled={isBusy} onClick={() => run()}>
        {isBusy ? "Saving..." : action}
      </Button>
      <Announcement text={message} />
    </Stack>
  );
};

export default LeadDialog;
