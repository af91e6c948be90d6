import { tenant } from "@vitaline/contract";
import { useState } from "react";
import { useApi } from "../../lib/api/use-api.ts";
import { Dialog } from "../../components/dialog/dialog.tsx";
import { Loadable, RowSkeletons } from "../../components/feedback/loadable.tsx";
import { MoneyForm } from "./money-form.tsx";

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
