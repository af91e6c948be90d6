import { Stack } from "@chakra-ui/react/stack";
import { tenant, type TenantSettings } from "@vitaline/contract";
import { Loadable, ShortSkeleton } from "../../components/feedback/loadable.tsx";
import { TextLink } from "../../components/layout/links.tsx";
import { Panel } from "../../components/layout/panel.tsx";
import { DetailList } from "../../components/table/detail-list.tsx";
import { useApi } from "../../lib/api/use-api.ts";
import { languageNames } from "../../lib/format/labels.ts";
import { AskPlatform } from "./ask-platform.tsx";
import { periodInWords, retentionFields } from "../tenants/security/policies-values.ts";

const RetentionPart = () => {
  const settings = useApi(tenant.tenantSettings, {});
  return (
    <Stack gap="5">
      <Panel
        title="Retention"
        description={
          <>
            Older data is deleted automatically. The audit log is kept for seven years. <AskPlatform what="the periods" />
          </>
        }
      >
        <Loadable loaded={settings} what="settings" skeleton={<ShortSkeleton />}>
          {({ policies: { retention } }) => (
            <DetailList details={retentionFields.map(({ name, label }) => [label, periodInWords(retention[name])] as const)} />
          )}
        </Loadable>
      </Panel>
      <Panel
        title="Languages and rules"
        description={
          <>
            The usual language is under <TextLink to="/tenant/settings">Organization</TextLink>. <AskPlatform what="the rules" />
          </>
        }
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
    ["Two-factor sign-in is required", yesOrNo(policies.requireTotp)],
    ["Your administrators may connect record systems", yesOrNo(policies.ownFhirProviders)],
    ["Your administrators may connect voice platforms", yesOrNo(policies.ownVoiceProviders)],
    ["Parents and guardians may speak for a child", yesOrNo(policies.minors.guardians)],
    ["Age from which a child's record is withheld from them", String(policies.minors.confidentialFrom)],
  ] as const;

export default RetentionPart;
