import { Text } from "@chakra-ui/react/text";
import type { ReactNode } from "react";
import { ChoiceField, TextField } from "../../components/form/fields.tsx";
import { Dialog } from "../../components/dialog/dialog.tsx";
import { FormFrame, SubmitButton } from "../../components/form/form-frame.tsx";
import { ConnectionTestResult } from "./connection-test-result.tsx";
import { type ConnectionTestOptions, useConnectionTest } from "./use-connection-test.ts";

type Props = ConnectionTestOptions & {
  titleOf: (toolName: string) => string;
  onClose: () => void;
  /** Below the test of one. */ children?: ReactNode;
};

/** Tries a record system as far as reading one patient, and shows how far it went. */
const ConnectionTestDialog = ({ titleOf, onClose, children, ...options }: Props) => {
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
          hint="The ID of the patient's record in the record system. A sample is filled in; yours may not know it."
          autoComplete="off"
          spellCheck={false}
          {...field("patientId")}
        />
        <SubmitButton isBusy={isBusy} busyText="Testing Connection...">
          Test Connection
        </SubmitButton>
        {isBusy && result === undefined ? (
          <Text textStyle="sm" color="fg.muted">
            The test goes on until the patient is read or a step fails; that may take some seconds.
          </Text>
        ) : null}
      </FormFrame>
      {result === undefined ? null : <ConnectionTestResult result={result} titleOf={titleOf} />}
      {children}
    </Dialog>
  );
};

export default ConnectionTestDialog;
