import { Link } from "@chakra-ui/react/link";
import type { LeadDetail } from "@vitaline/contract";
import { DetailList } from "../../components/table/detail-list.tsx";
import { Moment } from "../../components/data/text.tsx";
import { TextLink } from "../../components/layout/links.tsx";
import { LeadStatusBadge } from "./lead-status-badge.tsx";
import { leadReasonNames } from "./lead-words.ts";

const Phone = ({ number }: { number: string }) => <Link href={`tel:${number.replaceAll(/[^+\d]/g, "")}`}>{number}</Link>;

/** A caller's text can name an address and nothing else: no subject, no copies. */
const Mail = ({ address }: { address: string }) => (
  <Link href={`mailto:${encodeURIComponent(address).replace("%40", "@")}`}>{address}</Link>
);

type Props = { lead: LeadDetail; offices: ReadonlyMap<string, string> };

/** Who it is and what they want. */
export const LeadFacts = ({ lead, offices }: Props) => {
  const { reason, createdAt, handledAt, callId, officeId, contact } = lead;
  return (
    <DetailList
      details={[
        ["Name", contact.name],
        ["Phone", contact.phone === null ? "Not given" : <Phone key="phone" number={contact.phone} />],
        ["Email", contact.email === null ? "Not given" : <Mail key="mail" address={contact.email} />],
        ["Reason", leadReasonNames[reason]],
        ["Note", contact.note ?? "None"],
        ["Office", officeId === null ? "Any" : (offices.get(officeId) ?? "Another office")],
        ["Received", <Moment key="received" at={createdAt} />],
        ["Came from", callId === null ? "Written down by staff" : <CallLink key="call" callId={callId} />],
        ["Status", <LeadStatusBadge key="status" lead={lead} />],
        ["Handled", handledAt === null ? undefined : <Moment key="handled" at={handledAt} />],
      ]}
    />
  );
};

const CallLink = ({ callId }: { callId: string }) => <TextLink to={`?tab=analytics&call=${callId}`}>A call, with its details</TextLink>;
