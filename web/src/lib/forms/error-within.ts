import { get } from "react-hook-form";

/** The first error of a field's parts: some fields hold several values in one text. */
export const errorWithin = (errors: object, place: string): string | undefined => {
  const told: unknown = get(errors, place);
  const all = Array.isArray(told) ? told : [told];
  return all.map((one: { message?: string } | undefined) => one?.message).find((message) => message !== undefined);
};
