import { Text } from "@chakra-ui/react/text";
import { type ReactNode, useState } from "react";
import { ConnectionTest, type FhirProvider, type ConnectionTestResult as Result } from "@vitaline/contract";
import * as z from "zod/mini";
import { ChoiceField, TextField } from "../../../components/form/fields.tsx";
import { Dialog } from "../../../components/dialog/dialog.tsx";
import { FormFrame, SubmitButton } from "../../../components/form/form-frame.tsx";
import { ConnectionTestResult } from "./connection-test-result.tsx";
import { explain } from "../../../lib/api/api-error.ts";
import { useRequestForm } from "../../../lib/forms/use-request-form.ts";
import { announce } from "../../../lib/toast.ts";

/** IDs of test patients in the vendors' public sandboxes, otherwise that of FHIR's own examples. */
const samples: Partial<Record<FhirProvider["providerType"], string>> = {
  epic: "erXuFYUfucBZaryVksYEcMg3",
  cerner: "12724066",
};

const samplePatientId = (providerType: FhirProvider["providerType"] | undefined): string =>
  (providerType && samples[providerType]) ?? "example";

type ConnectionTestOptions = {
  providers: readonly { id: string; name: string; providerType: FhirProvider["providerType"] }[];
  providerId?: string;
  test: (providerId: string, patientId: string) => Promise<Result>;
  onTested: () => void;
};

const TestInput = z.object({
  providerId: z.string().check(z.minLength(1, "Provider is required")),
  patientId: ConnectionTest.shape.patientId,
});

const announceResult = ({ success, message }: Result): void =>
  success
    ? announce({ type: "success", title: "Connection Test Successful", description: "FHIR provider is working correctly." })
    : announce({ type: "error", title: "Connection Test Failed", description: message });

const announceError = (error: unknown): string => {
  announce({ type: "error", title: "Test Error", description: explain(error) });
  return explain(error);
};

const useConnectionTest = ({ providers, providerId = "", test, onTested }: ConnectionTestOptions) => {
  const [result, setResult] = useState<Result>();
  const { field, failure, isBusy, submit, form } = useRequestForm({
    schema: TestInput,
    defaultValues: { providerId, patientId: samplePatientId(providers.find(({ id }) => id === providerId)?.providerType) },
    send: async (chosen) => {
      const found = await test(chosen.providerId, chosen.patientId);
      setResult(found);
      announceResult(found);
      onTested();
    },
    refuse: announceError,
  });
  const run = async () => {
    setResult(undefined);
    if (form.getValues("providerId") === "") announce({ type: "error", title: "Error", description: "Please select a provider." });
    await submit();
  };
  return { field, failure, isBusy, run, result };
};

type Props = ConnectionTestOptions & {
  titleOf: (toolName: string) => string;
  onClose: () => void;
  children?: ReactNode;
};

export const ConnectionTestDialog = ({ titleOf, onClose, children, ...options }: Props) => {
  const { field, failure, isBusy, run, result } = useConnectionTest(options);
  const choices = [{ value: "", label: "Please choose" }, ...options.providers.map(({ id, name }) => ({ value: id, label: name }))];
  return (
    <Dialog
      title="Test FHIR Connection"
      description="Reads one patient, the way a voice agent does in a call. The access is written to the audit log."
      onClose={onClose}
    >
      <FormFrame onSubmit={run} failure={failure}>
        <ChoiceField label="Provider" options={choices} {...field("providerId")} />
        <TextField
          label="Patient ID"
          hint="The ID of the patient's record in the record system. The sample filled in here may not exist in yours."
          autoComplete="off"
          spellCheck={false}
          {...field("patientId")}
        />
        <SubmitButton isBusy={isBusy} busyText="Testing Connection...">
          Test Connection
        </SubmitButton>
        {isBusy && result === undefined ? (
          <Text textStyle="sm" color="fg.muted">
            The test runs until the patient is read or a step fails. This may take a few seconds.
          </Text>
        ) : null}
      </FormFrame>
      {result === undefined ? null : <ConnectionTestResult result={result} titleOf={titleOf} />}
      {children}
    </Dialog>
  );
};
