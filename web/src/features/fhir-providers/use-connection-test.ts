import { ConnectionTest, type ConnectionTestResult as Result, type FhirProvider } from "@vitaline/contract";
import { useState } from "react";
import * as z from "zod/mini";
import { explain } from "../../lib/api/api-error.ts";
import { useRequestForm } from "../../lib/forms/use-request-form.ts";
import { announce } from "../../lib/toast.ts";
import { samplePatientId } from "./sample-patients.ts";

export type ConnectionTestOptions = {
  providers: readonly { id: string; name: string; providerType: FhirProvider["providerType"] }[];
  /** Chosen from the start. */ providerId?: string;
  test: (providerId: string, patientId: string) => Promise<Result>;
  /** After each test, whatever came of it. */ onTested: () => void;
};

const Chosen = z.object({
  providerId: z.string().check(z.minLength(1, "Provider is required")),
  patientId: ConnectionTest.shape.patientId,
});

const tell = ({ success, message }: Result): void =>
  success
    ? announce({ type: "success", title: "Connection Test Successful", description: "FHIR provider is working correctly." })
    : announce({ type: "error", title: "Connection Test Failed", description: message });

const tellError = (error: unknown): string => {
  announce({ type: "error", title: "Test Error", description: explain(error) });
  return explain(error);
};

/** What is to be tested, and what came of the last test until another one begins. */
export const useConnectionTest = ({ providers, providerId = "", test, onTested }: ConnectionTestOptions) => {
  const [result, setResult] = useState<Result>();
  const { field, failure, isBusy, submit, form } = useRequestForm({
    schema: Chosen,
    defaultValues: { providerId, patientId: samplePatientId(providers.find(({ id }) => id === providerId)?.providerType) },
    send: async (chosen) => {
      const found = await test(chosen.providerId, chosen.patientId);
      setResult(found);
      tell(found);
      onTested();
    },
    refuse: tellError,
  });
  const run = async () => {
    setResult(undefined);
    if (form.getValues("providerId") === "") announce({ type: "error", title: "Error", description: "Please select a provider." });
    await submit();
  };
  return { field, failure, isBusy, run, result };
};
