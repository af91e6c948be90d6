import { type ContactPreferences, type ContactPreferencesChange, tenant, type TenantSettings } from "@vitaline/contract";
import { call } from "../../lib/api/call.ts";
import { useEditForm } from "../../lib/forms/use-edit-form.ts";
import { announce } from "../../lib/toast.ts";
import { changesTo, differences, PreferencesForm, type PreferenceValues, valuesOf } from "../tenants/preferences/preferences-values.ts";

type Options = {
  settings: TenantSettings;
  replace: (settings: TenantSettings) => Promise<void>;
  reread: () => Promise<void>;
  saidWhenSaved: string;
};

/** A form of some of the contact preferences; only what was changed in it is sent. */
export const usePreferencesForm = ({ settings, replace, reread, saidWhenSaved }: Options) => {
  const edit = useEditForm<ContactPreferences, PreferenceValues, ContactPreferencesChange>({
    current: settings.contactPreferences,
    valuesOf,
    schema: PreferencesForm,
    differences,
    save: async (sent, begun) => {
      const body = changesTo(valuesOf(begun), edit.form.getValues(), sent);
      const saved = await call(tenant.updateContactPreferences, { body }, { ifMatch: settings.version });
      announce({ type: "success", title: saidWhenSaved });
      await replace(saved);
      return saved.contactPreferences;
    },
    reread,
  });
  return edit;
};
