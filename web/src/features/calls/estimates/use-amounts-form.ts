import { tenant, tenantDashboard, type TenantSettings, TenantSettingsChange } from "@vitaline/contract";
import { useEffect, useRef } from "react";
import * as z from "zod/mini";
import { isStale } from "../../../lib/api/api-error.ts";
import { call } from "../../../lib/api/call.ts";
import { useRefresh } from "../../../lib/api/use-refresh.ts";
import { tellAtFields, useRequestForm } from "../../../lib/forms/use-request-form.ts";
import { announce } from "../../../lib/toast.ts";

const typedAmount = /^(\$?\s?\d[\d,]*(\.\d+)?)?$/;

/** Accepts "$1,200.50"; an empty text removes the amount. */
const typed = z.pipe(
  z.string().check(z.trim(), z.regex(typedAmount, "Must be an amount in dollars and cents, such as 25.50")),
  z.transform((text): number | null | undefined => (text === "" ? null : Number(text.replaceAll(/[$,\s]/g, "")))),
);

const { hourlyWage, averageVisitValue } = TenantSettingsChange.shape;
export const MoneyAmounts = z.object({ hourlyWage: z.pipe(typed, hourlyWage), averageVisitValue: z.pipe(typed, averageVisitValue) });

export const asTyped = (amount: number | null): string => (amount === null ? "" : amount.toFixed(2));

const names = ["hourlyWage", "averageVisitValue"] as const;
const changedMeanwhile =
  "Another user has changed the settings in the meantime. What you typed is still here; check both amounts and save again.";

/** Sends only what changed, so that a colleague's change to the other amount is kept. */
const differing = (typed: TenantSettingsChange, settings: TenantSettings): TenantSettingsChange =>
  Object.fromEntries(names.filter((name) => typed[name] !== settings[name]).map((name) => [name, typed[name]]));

type Given = { settings: TenantSettings; onOutdated: () => void; onSaved: () => void };

/** After a conflict the settings are refetched, and untouched fields take the new values. */
export const useMoneyForm = ({ settings, onOutdated, onSaved }: Given) => {
  const refresh = useRefresh();
  const requestForm = useRequestForm({
    schema: MoneyAmounts,
    defaultValues: { hourlyWage: asTyped(settings.hourlyWage), averageVisitValue: asTyped(settings.averageVisitValue) },
    send: async (typed) => {
      await call(tenant.updateTenantSettings, { body: differing(typed, settings) }, { ifMatch: settings.version });
      await refresh(tenantDashboard.savings, tenant.tenantSettings);
      announce({ type: "success", title: "Saved", description: "The estimates now use these amounts." });
      onSaved();
    },
    refuse: (error, form) => {
      if (!isStale(error)) return tellAtFields<{ hourlyWage: string; averageVisitValue: string }>(names)(error, form);
      onOutdated();
      return changedMeanwhile;
    },
  });
  const { form } = requestForm;
  const known = useRef(settings);
  useEffect(() => {
    for (const name of names) {
      const isUntouched = form.getValues(name) === asTyped(known.current[name]);
      if (isUntouched) form.resetField(name, { defaultValue: asTyped(settings[name]) });
    }
    known.current = settings;
  }, [form, settings]);
  return requestForm;
};
