import { Button } from "@chakra-ui/react/button";
import { Stack } from "@chakra-ui/react/stack";
import { chakra } from "@chakra-ui/react/styled-system";
import { type OfficeDetail, type TenantFhirProvider, tenantFhirProviders, tenantOffices } from "@vitaline/contract";
import { useState } from "react";
import { call } from "../../api/call.ts";
import { useApi } from "../../api/use-api.ts";
import { useRefresh } from "../../api/use-refresh.ts";
import { ChoiceField } from "../../components/choice-field.tsx";
import { Loadable } from "../../components/loadable.tsx";
import { RowSkeletons } from "../../components/row-skeletons.tsx";
import { TextLink } from "../../components/text-link.tsx";
import { Failure } from "../../components/failure.tsx";
import { recordSystemOptions } from "./record-system-options.ts";
import type { OfficeFormState } from "./use-office-form.ts";
import { useToldAction } from "../../api/use-told-action.ts";

type Props = { office: OfficeDetail; form: OfficeFormState };

const Choice = ({ office, form, providers }: Props & { providers: readonly TenantFhirProvider[] }) => {
  const refresh = useRefresh();
  const [saved, setSaved] = useState(office.fhirProviderId ?? "");
  const [chosen, setChosen] = useState(saved);
  const [isSaved, setIsSaved] = useState(false);
  const { run, isBusy, failure } = useToldAction(async () => {
    setIsSaved(false);
    const version = form.versionNow();
    const answer = await call(
      tenantFhirProviders.assignOwnOfficeFhirProvider,
      { params: { officeId: office.id }, body: { fhirProviderId: chosen || null } },
      version === undefined ? {} : { ifMatch: version },
    );
    form.tellVersion(answer.version);
    setSaved(chosen);
    setIsSaved(true);
    await refresh(tenantOffices.officeCards);
  });
  return (
    <Stack gap="5">
      <ChoiceField
        label="Record system of this office"
        error={undefined}
        value={chosen}
        options={recordSystemOptions(providers, saved)}
        onChange={({ target }) => {
          setChosen(target.value);
          setIsSaved(false);
        }}
      />
      <Failure text={failure} />
      <chakra.div display="flex" flexWrap="wrap" alignItems="center" gap="4">
        <Button size="lg" aria-disabled={isBusy || chosen === saved} onClick={() => chosen === saved || run()}>
          {isBusy ? "Saving..." : "Save record system"}
        </Button>
        <chakra.output textStyle="sm" color="fg.success">
          {isSaved ? "Saved. It holds for the next call." : ""}
        </chakra.output>
      </chakra.div>
    </Stack>
  );
};

/** The record system that an office's calls reach: the organization's, or another of those it uses or keeps. */
export const RecordSystemPart = ({ office, form }: Props) => {
  const providers = useApi(tenantFhirProviders.listTenantFhirProviders, {});
  return (
    <Stack gap="5">
      <chakra.p textStyle="sm" color="fg.muted">
        Voice agents look up patients of this office there, and book their visits there.{" "}
        <TextLink to="?tab=fhir">See your organization&apos;s record systems</TextLink>
      </chakra.p>
      <Loadable loaded={providers} what="record systems" skeleton={<RowSkeletons />}>
        {(list) => <Choice office={office} form={form} providers={list} />}
      </Loadable>
    </Stack>
  );
};
