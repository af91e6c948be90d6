import { chakra } from "@chakra-ui/react/styled-system";
import { type Erasure, fhirProviders } from "@vitaline/contract";
import { useApi } from "../../lib/api/use-api.ts";
import { useAuth } from "../../lib/session/auth.tsx";
import { DetailList } from "../../components/table/detail-list.tsx";
import { Moment } from "../../components/data/text.tsx";
import { hasNotBegun, kindNames, personInWords, reasonNames } from "./erasure-words.ts";

const Code = ({ children }: { children: string }) => (
  <chakra.span fontFamily="mono" textStyle="xs" overflowWrap="anywhere">
    {children}
  </chakra.span>
);

const code = (text: string | null) => (text === null ? undefined : <Code>{text}</Code>);
const moment = (at: string | null) => (at === null ? undefined : <Moment at={at} />);

/** Whose data it is, and who wanted it erased, when and why. */
export const ErasureFacts = ({ erasure }: { erasure: Erasure }) => {
  const { user } = useAuth();
  const { kind, tenantName, callId, fhirProviderId, patientId, status, approvedBy } = erasure;
  const { data: providers = [] } = useApi(fhirProviders.listFhirProviders, {}, { when: fhirProviderId !== null });
  return (
    <DetailList
      details={[
        ["What", kindNames[kind]],
        ["Organization", tenantName],
        ["Call ID", code(callId)],
        [
          "Record system",
          fhirProviderId === null ? undefined : (providers.find(({ id }) => id === fhirProviderId)?.name ?? code(fhirProviderId)),
        ],
        ["Patient ID", code(patientId)],
        ["Reason", reasonNames[erasure.reason]],
        ["Requested by", personInWords(erasure.requestedBy, erasure.requestedByName, user?.id)],
        ["Requested", moment(erasure.requestedAt)],
        ["Approved by", approvedBy === null ? undefined : personInWords(approvedBy, erasure.approvedByName, user?.id)],
        ["Approved", moment(erasure.approvedAt)],
        ["Starts", hasNotBegun(erasure) ? moment(erasure.startsAt) : undefined],
        [status === "cancelled" ? "Canceled" : "Finished", moment(erasure.finishedAt)],
        ["Backups gone", moment(erasure.backupsGoneAt)],
      ]}
    />
  );
};
