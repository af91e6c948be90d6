import { Stack } from "@chakra-ui/react/stack";
import { tenant, type TenantSettings } from "@vitaline/contract";
import { Loadable, ShortSkeleton } from "../../components/feedback/loadable.tsx";
import { Panel } from "../../components/layout/panel.tsx";
import { DetailList } from "../../components/table/detail-list.tsx";
import { useApi } from "../../lib/api/use-api.ts";
import { languageNames } from "../../lib/format/labels.ts";
import { periodInWords, retentionFields } from "../tenants/security/policies-values.ts";

const RetentionPart = () => {
  const settings = useApi(tenant.tenantSettings, {});
  return (
    <Stack gap="5">
      <Panel
        title="Retention"
        description="What is older is deleted by itself. The audit log is kept for seven years. The platform can change the periods: ask under Requests."
      >
        <Loadable loaded={settings} what="settings" skeleton={<ShortSkeleton />}>
          {({ policies: { retention } }) => (
            <DetailList details={retentionFields.map(({ name, label }) => [label, periodInWords(retention[name])] as const)} />
          )}
        </Loadable>
      </Panel>
      <Panel
        title="Languages and rules"
        description="The usual language is under Organization. The platform can change the rules: ask under Requests."
      >
        <Loadable loaded={settings} what="settings" skeleton={<ShortSkeleton />}>
          {(found) => <DetailList details={rulesOf(found)} />}
        </Loadable>
      </Panel>
    </Stack>
  );
};

const yesOrNo = (holds: boolean): string => (holds ? "Yes" : "No");

const rulesOf = ({ language, facts, policies }: TenantSettings) =>
  [
    ["Usual language", languageNames[language ?? "en"]],
    ["Languages that your offices speak", facts.languages.length === 0 ? "Not set" : facts.languages.join(", ")],
    ["Everyone needs a second factor", yesOrNo(policies.requireTotp)],
    ["You may connect record systems yourselves", yesOrNo(policies.ownFhirProviders)],
    ["You may connect voice platforms yourselves", yesOrNo(policies.ownVoiceProviders)],
    ["Parents and guardians may speak for a child", yesOrNo(policies.minors.guardians)],
    ["A child's record is withheld from them from the age of", String(policies.minors.confidentialFrom)],
  ] as const;

export default RetentionPart;
