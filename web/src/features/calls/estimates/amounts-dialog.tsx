import { assumedHourlyWage, tenant, type TenantSettings } from "@vitaline/contract";
import { useEffect, useLayoutEffect, useState } from "react";
import { useApi } from "../../../lib/api/use-api.ts";
import { Dialog } from "../../../components/dialog/dialog.tsx";
import { Loadable, RowSkeletons } from "../../../components/feedback/loadable.tsx";
import { FormFrame, SubmitButton } from "../../../components/form/form-frame.tsx";
import { TextField } from "../../../components/form/fields.tsx";
import { formatDollars } from "../../../lib/format/numbers.ts";
import { useMoneyForm } from "./use-amounts-form.ts";

type Props = {
  settings: TenantSettings;
  onDirty: (isDirty: boolean) => void;
  /** They are to be read again. */ onOutdated: () => void;
  onSaved: () => void;
};

export const MoneyForm = ({ onDirty, ...given }: Props) => {
  const { field, failure, isBusy, submit, form } = useMoneyForm(given);
  const { isDirty } = form.formState;
  // Before the next key, which may be Escape
  useLayoutEffect(() => onDirty(isDirty), [onDirty, isDirty]);
  // The form comes after its dialog, which would have given it the focus.
  useEffect(() => form.setFocus("hourlyWage"), [form]);
  return (
    <FormFrame onSubmit={submit} failure={failure}>
      <TextField
        label="Staff wage"
        hint={`US dollars an hour, with what an employer pays on top. Left empty, ${formatDollars(assumedHourlyWage)} is assumed.`}
        isOptional
        inputMode="decimal"
        autoComplete="off"
        {...field("hourlyWage")}
      />
      <TextField
        label="Value of a visit"
        hint="US dollars that a booked appointment brings in on average. Left empty, no revenue is estimated."
        isOptional
        inputMode="decimal"
        autoComplete="off"
        {...field("averageVisitValue")}
      />
      <SubmitButton isBusy={isBusy} busyText="Saving...">
        Save amounts
      </SubmitButton>
    </FormFrame>
  );
};

/** What an hour of staff costs and what a visit brings in: by these the estimates are counted. */
const MoneyDialog = ({ onClose }: { onClose: () => void }) => {
  // A colleague may have set them since the page was opened.
  const settings = useApi(tenant.tenantSettings, {}, { fresh: true });
  const [isDirty, setIsDirty] = useState(false);
  return (
    <Dialog
      title="Amounts for the estimates"
      description="Revenue and savings are estimated by these. They change nothing else."
      isDirty={isDirty}
      onClose={onClose}
    >
      <Loadable loaded={settings} what="the amounts" skeleton={<RowSkeletons />}>
        {(data) => <MoneyForm settings={data} onDirty={setIsDirty} onOutdated={settings.refresh} onSaved={onClose} />}
      </Loadable>
    </Dialog>
  );
};

export default MoneyDialog;
