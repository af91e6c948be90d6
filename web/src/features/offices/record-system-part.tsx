import { Stack } from "@chakra-ui/react/stack";
import { chakra } from "@chakra-ui/react/styled-system";
import { type OfficeDetail, type TenantFhirProvider, tenantFhirProviders } from "@vitaline/contract";
import { Button } from "@chakra-ui/react/button";
import { useState } from "react";
import { useApi } from "../../lib/api/use-api.ts";
import { type ReportDraft, useReportDraft } from "../../lib/forms/drafts.ts";
import { Loadable, RowSkeletons } from "../../components/feedback/loadable.tsx";
import { TextLink } from "../../components/layout/links.tsx";
import type { OfficeFormState } from "./form/use-office-form.ts";
import { ChoiceField } from "../../components/form/fields.tsx";
import { Confirmation } from "../../components/dialog/confirmation.tsx";
import { Failure } from "../../components/feedback/alerts.tsx";
import { losesProvider, recordSystemOptions, useRecordSystem } from "./record-system.ts";

type Props = { office: OfficeDetail; form: OfficeFormState; onDraft: ReportDraft };

export const RecordSystemPart = (props: Props) => {
  const providers = useApi(tenantFhirProviders.listTenantFhirProviders, {});
  return (
    <Stack gap="5">
      <chakra.p textStyle="sm" color="fg.muted">
        Voice agents look up patients of this office there, and book their visits there.{" "}
        <TextLink to="?tab=fhir">See your organization&apos;s record systems</TextLink>
      </chakra.p>
      <Loadable loaded={providers} what="record systems" skeleton={<RowSkeletons />}>
        {(list) => <RecordSystemChoice {...props} providers={list} />}
      </Loadable>
    </Stack>
  );
};

type RecordSystemChoiceProps = {
  office: OfficeDetail;
  form: OfficeFormState;
  providers: readonly TenantFhirProvider[];
  onDraft: ReportDraft;
};

const RecordSystemChoice = ({ office, form, onDraft, providers }: RecordSystemChoiceProps) => {
  const { saved, chosen, choose, save, isSaved } = useRecordSystem(office, form);
  const [isAsking, setIsAsking] = useState(false);
  useReportDraft(chosen !== saved, "record-system", onDraft);
  const options = recordSystemOptions(providers, saved);
  const press = () => {
    if (chosen === saved) return;
    if (losesProvider(providers, saved)) setIsAsking(true);
    else save.run();
  };
  return (
    <Stack gap="5">
      <ChoiceField
        label="Record system of this office"
        error={undefined}
        value={chosen}
        options={options}
        onChange={({ target }) => choose(target.value)}
      />
      <Failure text={save.failure} />
      <chakra.div display="flex" flexWrap="wrap" alignItems="center" gap="4">
        <Button size="lg" aria-disabled={save.isBusy || chosen === saved} onClick={press}>
          {save.isBusy ? "Saving..." : "Save record system"}
        </Button>
        <chakra.output textStyle="sm" color="fg.success">
          {isSaved ? "Saved. It applies from the next call." : ""}
        </chakra.output>
      </chakra.div>
      {isAsking ? (
        <Confirmation
          title="Stop using this record system?"
          action="Stop using it"
          busyAction="Saving..."
          isBusy={save.isBusy}
          isDangerous
          onConfirm={() => {
            setIsAsking(false);
            save.run();
          }}
          onCancel={() => setIsAsking(false)}
        >
          The platform manages {options.find(({ value }) => value === saved)?.label}. If no other office of yours uses it, only the platform
          can give it back to you.
        </Confirmation>
      ) : null}
    </Stack>
  );
};
