import {
  type BusinessHours,
  type Language,
  type MessageTexts,
  type Office,
  type OfficeChange,
  type OfficeDetail,
  type OfficeFacts,
  type Route,
  defaultMessageTexts,
  tenant,
  type TenantSettings,
} from "@vitaline/contract";
import { useState } from "react";
import { useEditForm } from "../../../lib/forms/use-edit-form.ts";
import { changesOf, differences, OfficeForm, type OfficeValues, type TextName, type TextsName, valuesOf } from "./office-values.ts";
import { useRefresh } from "../../../lib/api/use-refresh.ts";
import { announce } from "../../../lib/toast.ts";
import { type Loaded, useApi } from "../../../lib/api/use-api.ts";

/** An office's defaults. */
export type Organization = { businessHours: BusinessHours; language: Language; facts: OfficeFacts } & Record<
  TextsName,
  Record<TextName, string>
>;

export type OfficeStore = {
  /** `version` is undefined for a new office. */
  save: (change: OfficeChange, version: number | undefined) => Promise<void>;
  readAgain: () => Promise<Office>;
};

type Begun = { office: OfficeDetail | undefined; organization: Organization; store: OfficeStore };

/** The form of an office. It sends the changed fields only. */
export const useOfficeForm = ({ office, organization, store }: Begun) => {
  const [current, setCurrent] = useState<Office | undefined>(office);
  const inOrganization = (record: Office | undefined) => valuesOf(record, organization.businessHours);
  const form = useEditForm<Office | undefined, OfficeValues, OfficeChange>({
    current,
    valuesOf: inOrganization,
    schema: OfficeForm,
    differences: (begun, now) => differences(inOrganization(begun), inOrganization(now)),
    save: async (typed, begun) => {
      if (current === undefined) return store.save(typed, undefined);
      const before = inOrganization(begun);
      const isRenamed = typed.name !== before.name;
      await store.save({ ...changesOf(before, typed), name: isRenamed ? typed.name : current.name }, current.version);
    },
    reread: async () => setCurrent(await store.readAgain()),
  });
  return {
    ...form,
    /** The version for a change beside the form, which then calls `tellVersion` with the next one. */
    versionNow: () => current?.version,
    /** Ignored if another user has saved the office in between. */
    tellVersion: (version: number) => setCurrent((now) => (now?.version === version - 1 ? { ...now, version } : now)),
  };
};

export const inheritedFrom = ({
  contactPreferences,
  messageTemplates,
  spanishMessageTemplates,
  language,
  facts,
}: Pick<TenantSettings, "contactPreferences" | "language" | "facts" | TextsName>): Organization => ({
  businessHours: contactPreferences.businessHours,
  messageTemplates: textsIn("en", messageTemplates),
  spanishMessageTemplates: textsIn("es", spanishMessageTemplates),
  language: language ?? "en",
  facts,
});

const textsIn = (language: Language, own: MessageTexts): Record<TextName, string> => {
  const standard = defaultMessageTexts[language];
  return {
    appointmentConfirmation: own["appointmentConfirmation"] ?? standard.appointmentConfirmation,
    appointmentReminder: own["appointmentReminder"] ?? standard.appointmentReminder,
    followUp: own["followUp"] ?? standard.followUp,
  };
};

export const useOrganization = (): Loaded<Organization> => {
  const loaded = useApi(tenant.tenantSettings, {});
  return { ...loaded, data: loaded.data && inheritedFrom(loaded.data) };
};

type OfficeRequests = {
  create: (body: OfficeChange) => Promise<Office>;
  update: (body: OfficeChange, version: number) => Promise<Office>;
  read: () => Promise<Office>;
  list: Pick<Route, "path">;
};

export const useOfficeStore = ({ create, update, read, list }: OfficeRequests, onSaved: () => void): OfficeStore => {
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
