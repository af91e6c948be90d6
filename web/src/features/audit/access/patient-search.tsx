import { Box } from "@chakra-ui/react/box";
import { Button } from "@chakra-ui/react/button";
import { SimpleGrid } from "@chakra-ui/react/simple-grid";
import { chakra } from "@chakra-ui/react/styled-system";
import { Text } from "@chakra-ui/react/text";
import { type FoundPatient, patientSearch } from "@vitaline/contract";
import { useState } from "react";
import * as z from "zod/mini";
import { FormFrame } from "../../../components/form/form-frame.tsx";
import { TextField } from "../../../components/form/fields.tsx";
import { RowList, RowListItem } from "../../../components/table/row-list.tsx";
import { call } from "../../../lib/api/call.ts";
import { useRequestForm } from "../../../lib/forms/use-request-form.ts";

const SearchValues = z.object({ medicalRecordNumber: z.string(), familyName: z.string(), birthDate: z.string() });

type Props = {
  /** "" for the organization's own. */
  fhirProviderId: string;
  onChoose: (patient: FoundPatient) => void;
};

/** Its own form beside the report's: a search is a look at charts, and audited. */
export const PatientSearchForm = ({ fhirProviderId, onChoose }: Props) => {
  const [found, setFound] = useState<FoundPatient[]>();
  const { field, failure, isBusy, submit } = useRequestForm({
    schema: SearchValues,
    defaultValues: { medicalRecordNumber: "", familyName: "", birthDate: "" },
    send: async (typed) => {
      setFound(undefined);
      const given = Object.entries(typed).filter(([, value]) => value.trim() !== "");
      setFound(
        await call(patientSearch.findPatients, { body: { ...Object.fromEntries(given), ...(fhirProviderId && { fhirProviderId }) } }),
      );
    },
  });
  return (
    <Box borderWidth="1px" borderColor="border" borderRadius="l2" p="4">
      <FormFrame onSubmit={submit} failure={failure}>
        <SimpleGrid columns={{ base: 1, md: 3 }} gap="4" alignItems="start">
          <TextField label="Medical record number" isOptional autoComplete="off" spellCheck={false} {...field("medicalRecordNumber")} />
          <TextField label="Last name" isOptional autoComplete="off" spellCheck={false} {...field("familyName")} />
          <TextField label="Date of birth" isOptional type="date" {...field("birthDate")} />
        </SimpleGrid>
        <Text textStyle="sm" color="fg.muted">
          Search by record number, or by last name and date of birth. Each chart found is also listed in the patient's report.
        </Text>
        <Box>
          <Button type="submit" variant="outline" aria-disabled={isBusy}>
            {isBusy ? "Searching..." : "Find in the record system"}
          </Button>
        </Box>
        <chakra.output display="block">
          {found?.length === 0
            ? "The record system has no patient with these details."
            : found === undefined
              ? ""
              : `${found.length} found.`}
        </chakra.output>
      </FormFrame>
      {found === undefined || found.length === 0 ? null : (
        <Box mt="4">
          <RowList label="Patients found">
            {found.map((patient) => (
              <RowListItem key={patient.patientId}>
                <Box minW="0">
                  <Text fontWeight="medium">{patient.name ?? "No name on file"}</Text>
                  <Text textStyle="sm" color="fg.muted" overflowWrap="anywhere">
                    {[patient.birthDate && `born ${patient.birthDate}`, patient.medicalRecordNumber, `ID ${patient.patientId}`]
                      .filter(Boolean)
                      .join(" · ")}
                  </Text>
                </Box>
                <Button
                  size="sm"
                  variant="outline"
                  aria-label={`Choose ${patient.name ?? patient.patientId}`}
                  onClick={() => onChoose(patient)}
                >
                  Choose
                </Button>
              </RowListItem>
            ))}
          </RowList>
        </Box>
      )}
    </Box>
  );
};
