import { chakra } from "@chakra-ui/react/styled-system";
import { type ErasureCertificate as Certificate, type Erasure, type ErasureDetail, fhirProviders } from "@vitaline/contract";
import { Stack } from "@chakra-ui/react/stack";
import { type ReactNode, useId } from "react";
import { Button } from "@chakra-ui/react/button";
import { useApi } from "../../lib/api/use-api.ts";
import { useAuth } from "../../lib/session/auth.tsx";
import { DetailList } from "../../components/table/detail-list.tsx";
import { DateTime } from "../../components/data/text.tsx";
import { namedCounts, isWaiting, kindNames, personName, reasonNames } from "./erasure-format.tsx";
import { formatCount } from "../../lib/format/numbers.ts";
import { CodeBlock } from "../../components/data/copy-button.tsx";
import { Disclosure } from "../../components/layout/disclosure.tsx";
import { download } from "../../lib/dom/download.ts";

const verificationHint =
  "The certificate is a signed JWT (RS256); its second part is the payload. The operator checks it with npm run audit:verify, which compares it with the platform's own key and the audit log.";

const certificateFileName = (erasureId: string): string => `erasure-certificate-${erasureId}.json`;

const certificateFile = ({ jws, key }: Certificate): string => `${JSON.stringify({ jws, key, howToVerify: verificationHint }, null, 2)}\n`;

export const Section = ({ title, children }: { title: string; children: ReactNode }) => {
  const titleId = useId();
  return (
    <chakra.section aria-labelledby={titleId} borderTopWidth="1px" borderColor="border" pt="5">
      <chakra.h3 id={titleId} fontWeight="semibold" mb="3">
        {title}
      </chakra.h3>
      <Stack gap="3" align="flex-start" textStyle="sm">
        {children}
      </Stack>
    </chakra.section>
  );
};

const Code = ({ children }: { children: string }) => (
  <chakra.span fontFamily="mono" textStyle="xs" overflowWrap="anywhere">
    {children}
  </chakra.span>
);

const code = (text: string | null) => (text === null ? undefined : <Code>{text}</Code>);
const formatDate = (at: string | null) => (at === null ? undefined : <DateTime at={at} />);

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
        ["Requested by", personName(erasure.requestedBy, erasure.requestedByName, user?.id)],
        ["Requested", formatDate(erasure.requestedAt)],
        ["Approved by", approvedBy === null ? undefined : personName(approvedBy, erasure.approvedByName, user?.id)],
        ["Approved", formatDate(erasure.approvedAt)],
        ["Starts", isWaiting(erasure) ? formatDate(erasure.startsAt) : undefined],
        [status === "cancelled" ? "Canceled" : "Finished", formatDate(erasure.finishedAt)],
        ["Backups deleted", formatDate(erasure.backupsGoneAt)],
      ]}
    />
  );
};

export const ErasedCounts = ({ erasure: { erased } }: { erasure: Erasure }) => {
  if (erased === null) return null;
  const counts = namedCounts(erased);
  return (
    <Section title="Erased">
      {counts.length === 0 ? (
        <chakra.p color="fg.muted">There was nothing to erase.</chakra.p>
      ) : (
        <DetailList details={counts.map(([name, count]) => [name, formatCount(count)])} />
      )}
    </Section>
  );
};

export const ErasureCertificate = ({ erasure: { id, certificate } }: { erasure: ErasureDetail }) =>
  certificate === null ? null : (
    <Section title="Certificate">
      <chakra.p>Proof of this erasure for your files: what was erased, when, and who asked for it.</chakra.p>
      <Button
        size="sm"
        variant="outline"
        onClick={() => download(certificateFileName(id), "application/json", certificateFile(certificate))}
      >
        Download certificate
      </Button>
      <chakra.div w="full" minW="0">
        <Disclosure title="Show the certificate and how to verify it">
          <Stack gap="4">
            <chakra.p>{verificationHint}</chakra.p>
            <CodeBlock label="Certificate (JWS)" text={certificate.jws} />
            <CodeBlock label="Public key (JWK)" text={JSON.stringify(certificate.key, null, 2)} />
          </Stack>
        </Disclosure>
      </chakra.div>
    </Section>
  );
