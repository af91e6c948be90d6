import { assumedHourlyWage, tenant, type TenantSettings } from "@vitaline/contract";
import { useEffect, useLayoutEffect, useState } from "react";
import { useApi } from "../../../lib/api/use-api.ts";
import { Dialog } from "../../../components/dialog/dialog.tsx";
import { Loadable, RowSkeletons } from "../../../components/feedback/loadable.tsx";
import { FormFrame, SubmitButton } from "../../../components/form/form-frame.tsx";
import { TextField } from "../../../components/form/fields.tsx";
import { formatDollars } from "../../../lib/format/numbers.ts";
import { useAmountsForm } from "./use-amounts-form.ts";

const AmountsDialog = ({ onClose }: { onClose: () => void }) => {
  // A colleague may have changed them since the page was opened.
  const settings = useApi(tenant.tenantSettings, {}, { fresh: true });
  const [isDirty, setIsDirty] = useState(false);
  return (
    <Dialog title="Amounts for the estimates" description="Used only to estimate revenue and savings." isDirty={isDirty} onClose={onClose}>
      <Loadable loaded={settings} what="the amounts" skeleton={<RowSkeletons />}>
        {(data) => <AmountsForm settings={data} onDirty={setIsDirty} onOutdated={settings.refresh} onSaved={onClose} />}
      </Loadable>
    </Dialog>
  );
};

type Props = {
  settings: TenantSettings;
  onDirty: (isDirty: boolean) => void;
  onOutdated: () => void;
  onSaved: () => void;
};

const AmountsForm = ({ onDirty, ...given }: Props) => {
  const { field, failure, isBusy, submit, form } = useAmountsForm(given);
  const { isDirty } = form.formState;
  // A layout effect, so that Escape right after a keystroke asks before closing.
  useLayoutEffect(() => onDirty(isDirty), [onDirty, isDirty]);
  // The form renders after its dialog, so it sets the focus itself.
  useEffect(() => form.setFocus("hourlyWage"), [form]);
  return (
    <FormFrame onSubmit={submit} failure={failure}>
      <TextField
        label="Staff wage"
        hint={`US dollars per hour, including employer costs. If empty, ${formatDollars(assumedHourlyWage)} is assumed.`}
        isOptional
        inputMode="decimal"
        autoComplete="off"
        {...field("hourlyWage")}
      />
      <TextField
        label="Value of a visit"
        hint="Average US dollars per booked appointment. If empty, no revenue is estimated."
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

export default AmountsDialog;
