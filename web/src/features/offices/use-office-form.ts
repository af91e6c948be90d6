import { isStale } from "../../lib/api/api-error.ts";
import type { Office, OfficeChange, OfficeDetail } from "@vitaline/contract";
import { useRef, useState } from "react";
import { useAction } from "../../lib/api/use-action.ts";
import { tellAtFields, useRequestForm } from "../../lib/forms/use-request-form.ts";
import { changesOf, OfficeForm, type OfficeValues, valuesOf } from "./office-values.ts";
import type { Organization } from "./use-organization.ts";

/** How an office is read and kept, by whoever may change it. */
export type OfficeStore = {
  /** undefined: it is to be added. `version` is the one that is changed. */
  save: (change: OfficeChange, version: number | undefined) => Promise<void>;
  readAgain: () => Promise<Office>;
};

type Begun = { office: OfficeDetail | undefined; organization: Organization; store: OfficeStore };

const tellAtField = tellAtFields<OfficeValues>([
  "name",
  "address",
  "phone",
  "email",
  "staffCount",
  "businessHours",
  "staffRouting",
  "messageTemplates",
]);

/** An office's form. It sends what was changed in it and nothing else, so that two people who change different things both keep theirs. */
export const useOfficeForm = ({ office, organization, store }: Begun) => {
  const [begun] = useState(() => valuesOf(office, organization.businessHours));
  const before = useRef(begun);
  /** What is known of the office as it is now: the name that it keeps, and the version that a change is made to. */
  const known = useRef<Pick<Office, "name" | "version"> | undefined>(office);
  const [isOvertaken, setIsOvertaken] = useState(false);

  const form = useRequestForm<OfficeValues, OfficeChange>({
    schema: OfficeForm,
    defaultValues: begun,
    send: async (read) => {
      setIsOvertaken(false);
      if (known.current === undefined) return store.save(read, undefined);
      const changes = changesOf(before.current, read);
      const isRenamed = read.name !== before.current.name;
      await store.save({ ...changes, name: isRenamed ? read.name : known.current.name }, known.current.version);
    },
    refuse: (error, of) => {
      if (!isStale(error)) return tellAtField(error, of);
      setIsOvertaken(true);
      return undefined;
    },
  });

  const saveOverTheirs = useAction(async () => {
    known.current = await store.readAgain();
    await form.submit();
  });
  const takeTheirs = useAction(async () => {
    const newest = await store.readAgain();
    known.current = newest;
    before.current = valuesOf(newest, organization.businessHours);
    form.reset(before.current);
    setIsOvertaken(false);
  });
  return {
    ...form,
    /** Somebody else has saved this office since the form began. */
    isOvertaken,
    saveOverTheirs,
    takeTheirs,
    /** The version now, for changes beside the form; they tell the next one. It holds here only if nobody else has saved in between. */
    versionNow: () => known.current?.version,
    tellVersion: (version: number) => {
      if (known.current?.version === version - 1) known.current = { ...known.current, version };
    },
  };
};

export type OfficeFormState = ReturnType<typeof useOfficeForm>;
