import { CheckList } from "../../components/check-list.tsx";
import { Panel } from "../../components/panel.tsx";
import { TextLink } from "../../components/text-link.tsx";

const facts = [
  "HIPAA: each operation asks a record system for no more rights than it needs.",
  "Encryption: records travel over TLS only. Client secrets and private keys are stored encrypted and are never shown again.",
  "Audit: every access to a patient's record, each connection test included, is written to your audit log.",
];

/** How patient data is kept safe on its way. */
export const SafetyPanel = () => (
  <Panel title="HIPAA, encryption and audit" description="What holds for every connection on this page">
    <CheckList items={facts} />
    <TextLink to="?tab=audit" mt="5" alignSelf="flex-start" textStyle="sm">
      Open the audit log
    </TextLink>
  </Panel>
);
