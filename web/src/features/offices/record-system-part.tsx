import { Stack } from "@chakra-ui/react/stack";
import { chakra } from "@chakra-ui/react/styled-system";
import { type OfficeDetail, tenantFhirProviders } from "@vitaline/contract";
import { useApi } from "../../lib/api/use-api.ts";
import type { TellDraft } from "../../lib/forms/drafts.ts";
import { Loadable, RowSkeletons } from "../../components/feedback/loadable.tsx";
import { TextLink } from "../../components/layout/links.tsx";
import { RecordSystemChoice } from "./record-system-choice.tsx";
import type { OfficeFormState } from "./use-office-form.ts";

type Props = { office: OfficeDetail; form: OfficeFormState; onDraft: TellDraft };

/** The record system that an office's calls reach: the organization's, or another of those it uses or keeps. */
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
