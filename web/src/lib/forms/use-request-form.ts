import { standardSchemaResolver } from "@hookform/resolvers/standard-schema";
import { useState } from "react";
import { type DefaultValues, type FieldValues, get, type Path, useForm, type UseFormReturn } from "react-hook-form";
import type * as z from "zod/mini";
import { ApiError, explain } from "../api/api-error.ts";

type Field = { error: string | undefined };

/**
 * For a rule about several fields that has one sentence: it is said once, of the form, and each field that breaks the rule says what it
 * lacks itself. `lacks` names those fields.
 */
export const sayOnce = <Name extends string, F extends Field>(
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

export type Refuse<V extends FieldValues> = (error: unknown, form: Pick<UseFormReturn<V>, "setError" | "setFocus">) => string | undefined;

type Options<V extends FieldValues, Sent> = {
  /** What the values must be before anybody is asked; `send` gets them as it has read them. */
  schema: z.ZodMiniType<Sent, V>;
  defaultValues: DefaultValues<V>;
  /** Its error is a refusal. */
  send: (values: Sent) => Promise<void>;
  /** Tells a refusal; gives the sentence for the whole form, if there is one. */
  refuse?: Refuse<V> | undefined;
};

/** Tells a refusal at the fields that it names ("hours.end" is in "hours"), as far as the form has them; any other as a sentence for the whole form. */
export const tellAtFields =
  <V extends FieldValues>(names: readonly Path<V>[]): Refuse<V> =>
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

/** A form that one request takes: checked first by the contract's own schema, then by the server. */
export const useRequestForm = <V extends FieldValues, Sent = V>({ schema, defaultValues, send, refuse }: Options<V, Sent>) => {
  const form = useForm<V, unknown, Sent>({ resolver: standardSchemaResolver(schema), defaultValues });
  const [failure, setFailure] = useState<string>();
  const tell = refuse ?? tellAtFields(Object.keys(defaultValues) as Path<V>[]);
  const submit = form.handleSubmit(async (values) => {
    setFailure(undefined);
    try {
      await send(values);
    } catch (error) {
      setFailure(tell(error, form));
    }
  });
  const { errors, isSubmitting } = form.formState;
  /** What a field of this name is given; "hours.start" names one within another. */
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
