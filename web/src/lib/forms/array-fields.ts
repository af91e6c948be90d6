import { type FieldValues, get, type UseFormReturn } from "react-hook-form";

/** The first error of a field's parts: some fields hold several values in one text. */
export const errorWithin = (errors: object, place: string): string | undefined => {
  const told: unknown = get(errors, place);
  const all = Array.isArray(told) ? told : [told];
  return all.map((one: { message?: string } | undefined) => one?.message).find((message) => message !== undefined);
};

/** The form as its array fields see it: their paths cannot be told from a type parameter. */
export const plainForm = <V extends FieldValues, Sent>(form: UseFormReturn<V, unknown, Sent>): UseFormReturn =>
  form as unknown as UseFormReturn;
