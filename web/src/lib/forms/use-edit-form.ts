import { useState } from "react";
import type { DefaultValues, FieldValues } from "react-hook-form";
import type * as z from "zod/mini";
import { isStale } from "../api/api-error.ts";
import { type ShowFailure, useRequestForm } from "./use-request-form.ts";

/** Another user has saved the record since the form began. `changed` are the labels of the fields that differ. */
export type Conflict = { changed: readonly string[]; takeTheirs: () => void };

type Options<T, V extends FieldValues, Sent> = {
  /** The newest known state of the record. */
  current: T;
  valuesOf: (record: T) => V;
  schema: z.ZodMiniType<Sent, V> | ((begun: T) => z.ZodMiniType<Sent, V>);
  /** Labels of the fields that differ. By default none, for a form that shows no conflict. */
  differences?: (begun: T, current: T) => readonly string[];
  /** By default, a form has a conflict when a field differs. */
  hasConflict?: (begun: T, current: T) => boolean;
  /** Sends the change of `begun`. The form begins again with a returned record. */
  save: (typed: Sent, begun: T) => Promise<T | void>;
  /** Called when the server refuses a stale version: makes `current` the newest state. */
  reread: () => Promise<unknown>;
  refuse?: ShowFailure<V>;
};

/**
 * A form that changes a record. When another user has saved the record meanwhile, the input stays, `conflict` lists the changed fields,
 * and the next submit applies to their version.
 */
export const useEditForm = <T, V extends FieldValues, Sent = V>(options: Options<T, V, Sent>) => {
  const { current, valuesOf, schema, save, reread, refuse } = options;
  const [begun, setBegun] = useState(current);
  const [isRefusedAsStale, setIsRefusedAsStale] = useState(false);
  const request = useRequestForm<V, Sent>({
    schema: typeof schema === "function" ? schema(begun) : schema,
    defaultValues: valuesOf(begun) as DefaultValues<V>,
    send: async (typed) => {
      setIsRefusedAsStale(false);
      try {
        const saved = await save(typed, begun);
        if (saved) begin(saved);
      } catch (error) {
        if (isStale(error)) {
          setIsRefusedAsStale(true);
          await reread();
        }
        throw error;
      }
    },
    refuse,
  });
  const begin = (record: T): void => {
    setBegun(record);
    request.reset(valuesOf(record));
  };
  const changed = options.differences?.(begun, current) ?? [];
  const hasConflict = options.hasConflict?.(begun, current) ?? changed.length > 0;
  const conflict: Conflict | undefined = hasConflict ? { changed, takeTheirs: () => begin(current) } : undefined;
  // The conflict notice says it better than the refusal.
  const failure = conflict && isRefusedAsStale ? undefined : request.failure;
  return { ...request, failure, begun, conflict };
};

export type EditForm<T, V extends FieldValues, Sent = V> = ReturnType<typeof useEditForm<T, V, Sent>>;

/** The names of the fields that differ. A field that is not set equals an empty one. */
export const changedFields = <Name extends string>(
  names: readonly Name[],
  before: Readonly<Partial<Record<Name, unknown>>>,
  after: Readonly<Partial<Record<Name, unknown>>>,
): Name[] => names.filter((name) => JSON.stringify(before[name] ?? "") !== JSON.stringify(after[name] ?? ""));
