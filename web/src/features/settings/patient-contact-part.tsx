import { Flex } from "@chakra-ui/react/flex";
import { Stack } from "@chakra-ui/react/stack";
import { chakra } from "@chakra-ui/react/styled-system";
import { Text } from "@chakra-ui/react/text";
import { Loadable, ShortSkeleton } from "../../components/feedback/loadable.tsx";
import { EditConflict } from "../../components/form/edit-conflict.tsx";
import { ChoiceField } from "../../components/form/fields.tsx";
import { FormFrame, SubmitButton } from "../../components/form/form-frame.tsx";
import { SwitchField } from "../../components/form/switch-field.tsx";
import { TextLink } from "../../components/layout/links.tsx";
import { Panel } from "../../components/layout/panel.tsx";
import { methods } from "../tenants/preferences/preferences-values.ts";
import { usePreferencesForm } from "./use-preferences-form.ts";
import { type SettingsFormProps, useSettings } from "./use-settings.ts";

const PatientContactPart = () => {
  const { loaded, ...rest } = useSettings();
  return (
    <Panel title="Patient contact" description="How patients may get confirmations, reminders and messages from voice agents.">
      <Loadable loaded={loaded} what="settings" skeleton={<ShortSkeleton />}>
        {(settings) => <PatientContactForm settings={settings} {...rest} />}
      </Loadable>
      <Text mt="6" color="fg.muted">
        Choose which emails you get about open work and emergencies under <TextLink to="/tenant/to-do">To do</TextLink>.
      </Text>
    </Panel>
  );
};

const PatientContactForm = (props: SettingsFormProps) => {
  const { field, form, failure, isBusy, submit, conflict } = usePreferencesForm({ ...props, saidWhenSaved: "Patient contact saved" });
  return (
    <FormFrame onSubmit={submit} failure={failure}>
      <EditConflict what="organization" conflict={conflict} />
      <Stack gap="4">
        <SwitchField label="Email" hint="Patients may get email." {...form.register("emailEnabled")} />
        <SwitchField label="SMS" hint="Patients may get the same by text message." {...form.register("smsEnabled")} />
        <SwitchField label="Phone" hint="For reference only: the platform does not call patients." {...form.register("phoneEnabled")} />
      </Stack>
      <chakra.div maxW={{ sm: "xs" }}>
        <ChoiceField label="Default contact method" options={methods} {...field("defaultMethod")} />
      </chakra.div>
      <Flex>
        <SubmitButton isBusy={isBusy} busyText="Saving...">
          Save Patient Contact
        </SubmitButton>
      </Flex>
    </FormFrame>
  );
};

export default PatientContactPart;
