import type { OfficeFacts } from "@vitaline/contract";
import type { FieldValues } from "react-hook-form";
import type { useRequestForm } from "../../../lib/forms/use-request-form.ts";

export type FactsProps<V extends FieldValues, Sent> = Pick<ReturnType<typeof useRequestForm<V, Sent>>, "form" | "field"> & {
  /** The form's path of the FactsValues, such as "facts". */
  place: string;
  /** The tenant's facts, for an office. */
  inherited?: OfficeFacts | undefined;
};
