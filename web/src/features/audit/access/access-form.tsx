import { Box } from "@chakra-ui/react/box";
import { Button } from "@chakra-ui/react/button";
import { Flex } from "@chakra-ui/react/flex";
import { SimpleGrid } from "@chakra-ui/react/simple-grid";
import { Stack } from "@chakra-ui/react/stack";
import { Text } from "@chakra-ui/react/text";
import { type AccessReport, type FoundPatient, tenantFhirProviders } from "@vitaline/contract";
import { useEffect, useState } from "react";
import { useWatch } from "react-hook-form";
import { Disclosure } from "../../../components/layout/disclosure.tsx";
import { ChoiceField, TextField } from "../../../components/form/fields.tsx";
import { FormFrame, SubmitButton } from "../../../components/form/form-frame.tsx";
import { TenantChoice } from "../../../components/tenants/tenant-choice.tsx";
import { useApi } from "../../../lib/api/use-api.ts";
import { formatTimeZone, useZone } from "../../../lib/format/times.ts";
import { useRequestForm } from "../../../lib/forms/use-request-form.ts";
import { useMay } from "../../../lib/session/may.ts";
import { defaultPeriod, keptYears, yearsBefore } from "../export/export-format.ts";
import type { AccessApi } from "./access-api.ts";
import { type AccessRequest, accessSchema, type AccessValues } from "./access-values.ts";
import { PersonField } from "./person-field.tsx";
import { PatientSearchForm } from "./patient-search.tsx";

const kindChoices = [
  { value: "patient", label: "A patient: who saw or changed their data?" },
  { value: "user", label: "A person: what did they see and do?" },
];

type Props = {
  api: AccessApi;
  /** For a tenant's administrator, else the platform's. */
  isTenant: boolean;
  /** The person to start with. */
  userId: string;
  /** `patientName`: of a patient chosen by name. */
  onRequested: (report: AccessReport, patientName: string | undefined) => void;
};

export const AccessForm = ({ api, isTenant, userId, onRequested }: Props) => {
  const timeZone = useZone();
  const [usual] = useState(() => defaultPeriod(timeZone, new Date()));
  const [chosen, setChosen] = useState<FoundPatient>();
  const choosesSystem = useMay("GET /api/tenant/dashboard/fhir-providers");
  const { form, field, failure, isBusy, submit } = useRequestForm<AccessValues, AccessRequest>({
    schema: accessSchema(timeZone, isTenant),
    defaultValues: { kind: userId === "" ? "patient" : "user", tenantId: "", patientId: "", fhirProviderId: "", userId, ...usual },
    send: async (asked) => {
      const isChosen = asked.kind === "patient" && asked.patientId === chosen?.patientId;
      const isTyped = asked.kind === "patient" && !isChosen;
      const report = await api.request(isTenant && !choosesSystem && isTyped ? { ...asked, fhirProviderId: undefined } : asked);
      onRequested(report, isChosen ? (chosen.name ?? undefined) : undefined);
    },
  });
  const [kind, fhirProviderId, patientId] = useWatch({ control: form.control, name: ["kind", "fhirProviderId", "patientId"] });
  const { setFocus } = form;
  useEffect(() => {
    if (userId !== "") setFocus("userId");
  }, [userId, setFocus]);
  const choose = (patient: FoundPatient) => {
    setChosen(patient);
    form.setValue("patientId", patient.patientId, { shouldValidate: true });
    form.setValue("fhirProviderId", patient.fhirProviderId);
    form.setFocus("patientId");
  };
  const chooseYears = (years: number) => {
    form.setValue("start", yearsBefore(usual.end, years), { shouldValidate: true });
    form.setValue("end", usual.end, { shouldValidate: true });
  };
  return (
    <Stack gap="5">
      {isTenant && kind === "patient" ? (
        <Disclosure title="Find the patient in the record system">
          <PatientSearchForm fhirProviderId={choosesSystem ? fhirProviderId : ""} onChoose={choose} />
        </Disclosure>
      ) : null}
      <FormFrame onSubmit={submit} failure={failure}>
        <SimpleGrid columns={{ base: 1, md: 2 }} gap="5" alignItems="start">
          <ChoiceField label="Report about" options={kindChoices} {...field("kind")} />
          {isTenant ? null : (
            <TenantChoice
              label="Organization"
              isOptional={kind === "user"}
              hint={kind === "user" ? "Without one, the report reads the logs of all organizations, which takes a long time." : undefined}
              {...field("tenantId")}
            />
          )}
          {kind === "patient" ? (
            <>
              <TextField
                label="Patient ID"
                hint={
                  chosen?.patientId === patientId
                    ? `${chosen.name ?? "No name on file"}${chosen.birthDate === null ? "" : `, born ${chosen.birthDate}`}`
                    : "As shown in the record system. It is never put in a web address."
                }
                autoComplete="off"
                spellCheck={false}
                {...field("patientId")}
              />
              {isTenant && choosesSystem ? <RecordSystemChoice {...field("fhirProviderId")} /> : null}
            </>
          ) : (
            <PersonField isTenant={isTenant} isGiven={userId !== ""} field={field("userId")} onEmpty={() => form.setValue("userId", "")} />
          )}
        </SimpleGrid>
        <SimpleGrid columns={{ base: 1, sm: 2 }} gap="5" alignItems="start">
          <TextField label="First day" type="date" max={usual.end} {...field("start")} />
          <TextField label="Last day" type="date" max={usual.end} {...field("end")} />
        </SimpleGrid>
        <Flex role="group" aria-label="Days up to today" gap="2" wrap="wrap">
          {[1, 2, keptYears].map((years) => (
            <Button key={years} type="button" size="sm" variant="outline" onClick={() => chooseYears(years)}>
              {years === 1 ? "Last year" : `Last ${years} years`}
            </Button>
          ))}
        </Flex>
        <Text textStyle="sm" color="fg.muted">
          {`Any days of the seven years for which the audit log is kept (${formatTimeZone(timeZone)}). The report reads the whole log, and its archive where the log has gaps. You may leave this page: reports are listed below for seven days.`}
        </Text>
        <Box>
          <SubmitButton isBusy={isBusy} busyText="Requesting...">
            Create report
          </SubmitButton>
        </Box>
      </FormFrame>
    </Stack>
  );
};

const RecordSystemChoice = (field: Omit<Parameters<typeof ChoiceField>[0], "options" | "label">) => {
  const { data = [] } = useApi(tenantFhirProviders.listTenantFhirProviders, {});
  const options = data.map(({ id, providerName }) => ({ value: id, label: providerName }));
  return (
    <ChoiceField
      label="Record system"
      isOptional
      hint="The one in which the patient has this ID."
      options={[{ value: "", label: "Any" }, ...options]}
      {...field}
    />
  );
};
