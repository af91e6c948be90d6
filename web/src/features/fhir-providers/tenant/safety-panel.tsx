import type { TenantFhirProvider } from "@vitaline/contract";
import { CheckList } from "../../../components/layout/page-section.tsx";
import { Panel } from "../../../components/layout/panel.tsx";
import { TextLink } from "../../../components/layout/links.tsx";

export const SafetyPanel = ({ providers }: { providers: readonly TenantFhirProvider[] }) => (
  <Panel title="HIPAA, encryption and audit" description="Applies to every connection on this page">
    <CheckList items={safetyFacts(providers)} />
    <TextLink to="?tab=audit" mt="5" alignSelf="flex-start" textStyle="sm">
      Open the audit log
    </TextLink>
  </Panel>
);

const safetyFacts = (providers: readonly TenantFhirProvider[]): string[] => [
  "HIPAA: each operation asks a record system for no more rights than it needs.",
  `${transportText(providers)} Client secrets and private keys are stored encrypted and are never shown again.`,
  "Audit: every access to a patient's record, each connection test included, is written to your audit log.",
];

/** Plain HTTP occurs only in local trials; deployed platforms refuse it. */
const transportText = (providers: readonly TenantFhirProvider[]): string => {
  const plain = providers.filter(usesPlainHttp).map(({ providerName }) => providerName);
  return plain.length === 0
    ? "Encryption: records travel over TLS only."
    : `Encryption: records travel over TLS, except to ${plain.join(" and ")}, whose address begins with http.`;
};

const usesPlainHttp = ({ baseUrl }: Pick<TenantFhirProvider, "baseUrl">): boolean => baseUrl.startsWith("http:");
