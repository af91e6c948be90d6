import { standardSchemaResolver } from "@hookform/resolvers/standard-schema";
import { useState } from "react";
import { type DefaultValues, type FieldValues, get, type Path, useForm, type UseFormReturn } from "react-hook-form";
import type * as z from "zod/mini";
import { ApiError, explain } from "../api/api-error.ts";

type Field = { error: string | undefined };

/**
 * For a rule about several fields with one sentence: the sentence is shown once for the form, and each field in `lacks` shows
 * its own text.
 */
export const showOnce = <Name extends string, F extends Field>(
  sentence: string,
  lacks: Partial<Record<NoInfer<Name>, string>>,
  field: (name: Name) => F,
): { sentence: string | undefined; field: (name: Name) => F } => {
  const isBroken = (Object.keys(lacks) as Name[]).some((name) => field(name).error === sentence);
  return {
    sentence: isBroken ? sentence : undefined,
    field: (name) => {
      const own = field(name);
      return own.error === sentence ? { ...own, error: lacks[name] ?? sentence } : own;
    },
  };
};

export type ShowFailure<V extends FieldValues> = (
  error: unknown,
  form: Pick<UseFormReturn<V>, "setError" | "setFocus">,
) => string | undefined;

type Options<V extends FieldValues, Sent> = {
  /** Validates before sending; `send` gets its output. */
  schema: z.ZodMiniType<Sent, V>;
  defaultValues: DefaultValues<V>;
  /** An error is shown as a failure. */
  send: (values: Sent) => Promise<void>;
  /** Shows a failure; returns a sentence for the whole form, if any. */
  refuse?: ShowFailure<V> | undefined;
};

/** Shows a failure at the fields that it names ("hours.end" is in "hours"), any other as a sentence for the whole form. */
export const showAtFields =
  <V extends FieldValues>(names: readonly Path<V>[]): ShowFailure<V> =>
  (error, { setError }) => {
    const told = new Map(Object.entries((error instanceof ApiError && error.problem?.fields) || {}));
    const isIn =
      (name: string) =>
      (field: string): field is Path<V> =>
        field === name || field.startsWith(`${name}.`);
    const known = names.flatMap((name) => [...told.keys()].filter(isIn(name)));
    for (const [index, name] of known.entries()) setError(name, { message: told.get(name) ?? "" }, { shouldFocus: index === 0 });
    return known.length > 0 ? undefined : explain(error);
  };

/** A form of one request, validated by the contract's schema and by the server. */
export const useRequestForm = <V extends FieldValues, Sent = V>({ schema, defaultValues, send, refuse }: Options<V, Sent>) => {
  const form = useForm<V, unknown, Sent>({ resolver: standardSchemaResolver(schema), defaultValues });
  const [failure, setFailure] = useState<string>();
  const tell = refuse ?? showAtFields(Object.keys(defaultValues) as Path<V>[]);
  const submit = form.handleSubmit(async (values) => {
    setFailure(undefined);
    try {
      await send(values);
    } catch (error) {
      setFailure(tell(error, form));
    }
  });
  const { errors, isSubmitting } = form.formState;
  /** The props of a field; "hours.start" names a nested one. */
  const field = (name: Path<V>) => {
    const message: unknown = get(errors, `${name}.message`);
    return { ...form.register(name), error: typeof message === "string" ? message : undefined };
  };
  const reset: typeof form.reset = (...given) => {
    setFailure(undefined);
    form.reset(...given);
  };
  return { field, setFocus: form.setFocus, failure, isBusy: isSubmitting, submit, reset, form };
};
