import type { FieldValues, UseFormReturn } from "react-hook-form";

/** The form as its array fields see it: their paths cannot be told from a type parameter. */
export const plainForm = <V extends FieldValues, Sent>(form: UseFormReturn<V, unknown, Sent>): UseFormReturn =>
  form as unknown as UseFormReturn;
