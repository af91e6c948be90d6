import {
  type BusinessHours,
  type Office,
  type OfficeChange,
  type OfficeDetail,
  type Route,
  standardTexts,
  tenant,
  type TenantSettings,
} from "@vitaline/contract";
import { useRef, useState } from "react";
import { isStale } from "../../../lib/api/api-error.ts";
import { useAction } from "../../../lib/api/use-action.ts";
import { tellAtFields, useRequestForm } from "../../../lib/forms/use-request-form.ts";
import { changesOf, OfficeForm, type OfficeValues, type TextName, valuesOf } from "./office-values.ts";
import { useRefresh } from "../../../lib/api/use-refresh.ts";
import { announce } from "../../../lib/toast.ts";
import { type Loaded, useApi } from "../../../lib/api/use-api.ts";

/** What an office inherits unless it has its own. */
export type Organization = { businessHours: BusinessHours; messageTemplates: Record<TextName, string> };

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

/** What a tenant's offices inherit from it. */
export const inheritedFrom = ({
  contactPreferences,
  messageTemplates,
}: Pick<TenantSettings, "contactPreferences" | "messageTemplates">): Organization => ({
  businessHours: contactPreferences.businessHours,
  messageTemplates: {
    appointmentConfirmation: messageTemplates["appointmentConfirmation"] ?? standardTexts.appointmentConfirmation,
    appointmentReminder: messageTemplates["appointmentReminder"] ?? standardTexts.appointmentReminder,
    followUp: messageTemplates["followUp"] ?? standardTexts.followUp,
  },
});

/** The signed-in tenant's own settings, as its offices inherit them. */
export const useOrganization = (): Loaded<Organization> => {
  const loaded = useApi(tenant.tenantSettings, {});
  return { ...loaded, data: loaded.data && inheritedFrom(loaded.data) };
};

/** How an office is reached, by its own tenant or by the platform's administrator. */
type Ways = {
  create: (body: OfficeChange) => Promise<Office>;
  update: (body: OfficeChange, version: number) => Promise<Office>;
  read: () => Promise<Office>;
  /** What shows it beside its dialog. */ list: Pick<Route, "path">;
};

/** Keeps an office; then the dialog is done. */
export const useOfficeStore = ({ create, update, read, list }: Ways, onSaved: () => void): OfficeStore => {
  const refresh = useRefresh();
  return {
    save: async (change, version) => {
      const isNew = version === undefined;
      const { name } = isNew ? await create(change) : await update(change, version);
      announce({ type: "success", title: isNew ? "Office added" : "Office saved", description: name });
      onSaved();
      await refresh(list);
    },
    readAgain: read,
  };
};

export type OfficeFormState = ReturnType<typeof useOfficeForm>;
