import { Stack } from "@chakra-ui/react/stack";
import { type ChangedNotices, type Notices, notices } from "@vitaline/contract";
import * as z from "zod/mini";
import { Loadable, ShortSkeleton } from "../../components/feedback/loadable.tsx";
import { EditConflict } from "../../components/form/edit-conflict.tsx";
import { TextField } from "../../components/form/fields.tsx";
import { FormFrame, SubmitButton } from "../../components/form/form-frame.tsx";
import { SwitchField } from "../../components/form/switch-field.tsx";
import { Panel } from "../../components/layout/panel.tsx";
import { call } from "../../lib/api/call.ts";
import { useApi } from "../../lib/api/use-api.ts";
import { useRefresh } from "../../lib/api/use-refresh.ts";
import { changedFields, useEditForm } from "../../lib/forms/use-edit-form.ts";
import { announce } from "../../lib/toast.ts";

const MailNoticesPanel = () => {
  const loaded = useApi(notices.readNotices, {});
  return (
    <Panel title="Email notices" description="For you only. Times are in your organization's time zone, and no email names a patient.">
      <Loadable loaded={loaded} what="your notices" skeleton={<ShortSkeleton />}>
        {(current) => <NoticesForm current={current} />}
      </Loadable>
    </Panel>
  );
};

const time = z.string().check(z.regex(/^\d\d:\d\d$/, "Must be a time such as 07:30"));
const Form = z
  .object({ daily: z.boolean(), dailyAt: time, emergencies: z.boolean(), hasQuiet: z.boolean(), from: time, to: time })
  .check(z.refine(({ hasQuiet, from, to }) => !hasQuiet || from !== to, { path: ["to"], error: "Must not be the time of the start" }));
type Values = z.infer<typeof Form>;

const labels: Record<keyof Values, string> = {
  daily: "Every day: number of open items",
  dailyAt: "At",
  emergencies: "Immediately: each emergency",
  hasQuiet: "Quiet hours",
  from: "Quiet from",
  to: "Quiet until",
};

const valuesOf = ({ daily, dailyAt, emergencies, quiet }: Notices): Values => ({
  ...{ daily, dailyAt, emergencies, hasQuiet: quiet !== null },
  ...(quiet ?? { from: "21:00", to: "07:00" }),
});
const changeOf = ({ hasQuiet, from, to, ...rest }: Values): ChangedNotices => ({ ...rest, quiet: hasQuiet ? { from, to } : null });

const NoticesForm = ({ current }: { current: Notices }) => {
  const refresh = useRefresh();
  const { field, form, failure, isBusy, submit, conflict } = useEditForm<Notices, Values>({
    current,
    valuesOf,
    schema: Form,
    differences: (begun, now) =>
      changedFields(Object.keys(labels) as (keyof Values)[], valuesOf(begun), valuesOf(now)).map((name) => labels[name]),
    save: async (typed) => {
      const saved = await call(notices.changeNotices, { body: changeOf(typed) }, { ifMatch: current.version });
      announce({ type: "success", title: "Notices saved" });
      await refresh(notices.readNotices);
      return saved;
    },
    reread: () => refresh(notices.readNotices),
  });
  return (
    <FormFrame onSubmit={submit} failure={failure}>
      <EditConflict what="choice" conflict={conflict} replacesAll />
      <SwitchField label={labels.daily} hint="No email when nothing is open." {...form.register("daily")} />
      <TextField label={labels.dailyAt} type="time" maxW="40" {...field("dailyAt")} />
      <SwitchField label={labels.emergencies} hint="Within minutes of the call." {...form.register("emergencies")} />
      <SwitchField
        label={labels.hasQuiet}
        hint="Emergencies are emailed after quiet hours end, unless done by then."
        {...form.register("hasQuiet")}
      />
      <Stack direction="row" gap="4" wrap="wrap">
        <TextField label={labels.from} type="time" maxW="40" {...field("from")} />
        <TextField label={labels.to} type="time" maxW="40" {...field("to")} />
      </Stack>
      <div>
        <SubmitButton isBusy={isBusy} busyText="Saving...">
          Save notices
        </SubmitButton>
      </div>
    </FormFrame>
  );
};

export default MailNoticesPanel;
