import { Flex } from "@chakra-ui/react/flex";
import { Stack } from "@chakra-ui/react/stack";
import { tenant } from "@vitaline/contract";
import { DetailList } from "../../components/table/detail-list.tsx";
import { DateTime } from "../../components/data/text.tsx";
import { Loadable, ShortSkeleton } from "../../components/feedback/loadable.tsx";
import { EditConflict } from "../../components/form/edit-conflict.tsx";
import { FormFrame, SubmitButton } from "../../components/form/form-frame.tsx";
import { HoursField } from "../../components/form/hours-field.tsx";
import { Panel } from "../../components/layout/panel.tsx";
import { call } from "../../lib/api/call.ts";
import { useApi } from "../../lib/api/use-api.ts";
import { UsualFactsFields, useFactsForm } from "../tenants/preferences/facts-form.tsx";
import { usePreferencesForm } from "./use-preferences-form.ts";
import { type SettingsFormProps, useSettings } from "./use-settings.ts";
import { AskPlatform } from "./ask-platform.tsx";

const OrganizationPart = () => {
  const { loaded, ...rest } = useSettings();
  return (
    <Stack gap="5">
      <NamePanel />
      <Panel
        title="Time zone and default hours"
        description="Offices without their own hours use these. Voice agents tell them to callers, and transfer callers to staff only during these hours."
      >
        <Loadable loaded={loaded} what="settings" skeleton={<ShortSkeleton />}>
          {(settings) => <HoursForm settings={settings} {...rest} />}
        </Loadable>
      </Panel>
      <Panel
        title="Facts, languages and holidays"
        description="What voice agents may tell any caller about all offices, and the days when all are closed. An office can have its own."
      >
        <Loadable loaded={loaded} what="settings" skeleton={<ShortSkeleton />}>
          {(settings) => <FactsForm settings={settings} {...rest} />}
        </Loadable>
      </Panel>
    </Stack>
  );
};

const NamePanel = () => {
  const info = useApi(tenant.tenantInfo, { query: { withKey: "false" } });
  return (
    <Panel title="Organization" description={<AskPlatform what="the name" />}>
      <Loadable loaded={info} what="the organization" skeleton={<ShortSkeleton />}>
        {({ organizationName, createdAt, tenantId }) => (
          <DetailList
            details={[
              ["Name", organizationName],
              ["Created", createdAt === null ? undefined : <DateTime key="created" at={createdAt} />],
              ["ID for support", tenantId],
            ]}
          />
        )}
      </Loadable>
    </Panel>
  );
};

const HoursForm = (props: SettingsFormProps) => {
  const { field, form, failure, isBusy, submit, conflict } = usePreferencesForm({ ...props, saidWhenSaved: "Hours saved" });
  return (
    <FormFrame onSubmit={submit} failure={failure}>
      <EditConflict what="organization" conflict={conflict} />
      <HoursField form={form} field={field} place="businessHours" />
      <Flex>
        <SubmitButton isBusy={isBusy} busyText="Saving...">
          Save Hours
        </SubmitButton>
      </Flex>
    </FormFrame>
  );
};

const FactsForm = ({ settings, replace, reread }: SettingsFormProps) => {
  const edit = useFactsForm({
    current: settings,
    send: async (body) => {
      const saved = await call(tenant.updateTenantSettings, { body }, { ifMatch: settings.version });
      await replace(saved);
      return saved;
    },
    reread,
  });
  return (
    <FormFrame onSubmit={edit.submit} failure={edit.failure}>
      <EditConflict what="organization" conflict={edit.conflict} />
      <UsualFactsFields edit={edit} />
      <Flex>
        <SubmitButton isBusy={edit.isBusy} busyText="Saving...">
          Save Facts
        </SubmitButton>
      </Flex>
    </FormFrame>
  );
};

export default OrganizationPart;
