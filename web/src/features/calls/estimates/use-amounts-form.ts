import { tenant, tenantDashboard, type TenantSettings, TenantSettingsChange } from "@vitaline/contract";
import { useEffect, useRef } from "react";
import * as z from "zod/mini";
import { isStale } from "../../../lib/api/api-error.ts";
import { call } from "../../../lib/api/call.ts";
import { useRefresh } from "../../../lib/api/use-refresh.ts";
import { showAtFields, useRequestForm } from "../../../lib/forms/use-request-form.ts";
import { announce } from "../../../lib/toast.ts";

const amountPattern = /^(\$?\s?\d[\d,]*(\.\d+)?)?$/;

/** Accepts "$1,200.50"; an empty text removes the amount. */
const AmountText = z.pipe(
  z.string().check(z.trim(), z.regex(amountPattern, "Must be an amount in dollars and cents, such as 25.50")),
  z.transform((text): number | null | undefined => (text === "" ? null : Number(text.replaceAll(/[$,\s]/g, "")))),
);

const { hourlyWage, averageVisitValue } = TenantSettingsChange.shape;
export const Amounts = z.object({ hourlyWage: z.pipe(AmountText, hourlyWage), averageVisitValue: z.pipe(AmountText, averageVisitValue) });

export const formatAmountInput = (amount: number | null): string => (amount === null ? "" : amount.toFixed(2));

const names = ["hourlyWage", "averageVisitValue"] as const;
const conflictMessage =
  "Another user has changed the settings in the meantime. What you typed is still here; check both amounts and save again.";

/** Sends only what changed, so that a colleague's change to the other amount is kept. */
const changedAmounts = (typed: TenantSettingsChange, settings: TenantSettings): TenantSettingsChange =>
  Object.fromEntries(names.filter((name) => typed[name] !== settings[name]).map((name) => [name, typed[name]]));

type Options = { settings: TenantSettings; onOutdated: () => void; onSaved: () => void };

/** After a conflict the settings are refetched, and untouched fields take the new values. */
export const useAmountsForm = ({ settings, onOutdated, onSaved }: Options) => {
  const refresh = useRefresh();
  const requestForm = useRequestForm({
    schema: Amounts,
    defaultValues: { hourlyWage: formatAmountInput(settings.hourlyWage), averageVisitValue: formatAmountInput(settings.averageVisitValue) },
    send: async (typed) => {
      await call(tenant.updateTenantSettings, { body: changedAmounts(typed, settings) }, { ifMatch: settings.version });
      await refresh(tenantDashboard.savings, tenant.tenantSettings);
      announce({ type: "success", title: "Saved", description: "The estimates now use these amounts." });
      onSaved();
    },
    refuse: (error, form) => {
      if (!isStale(error)) return showAtFields<{ hourlyWage: string; averageVisitValue: string }>(names)(error, form);
      onOutdated();
      return conflictMessage;
    },
  });
  const { form } = requestForm;
  const known = useRef(settings);
  useEffect(() => {
    for (const name of names) {
      const isUntouched = form.getValues(name) === formatAmountInput(known.current[name]);
      if (isUntouched) form.resetField(name, { defaultValue: formatAmountInput(settings[name]) });
    }
    known.current = settings;
  }, [form, settings]);
  return requestForm;
};
