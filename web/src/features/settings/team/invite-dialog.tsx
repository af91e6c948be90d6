import { SimpleGrid } from "@chakra-ui/react/simple-grid";
import { NewColleague, team } from "@vitaline/contract";
import { useWatch } from "react-hook-form";
import type * as z from "zod/mini";
import { DialogButtons } from "../../../components/dialog/dialog-footer.tsx";
import { Dialog } from "../../../components/dialog/dialog.tsx";
import { TextField } from "../../../components/form/fields.tsx";
import { FormFrame } from "../../../components/form/form-frame.tsx";
import { isUncertain } from "../../../lib/api/api-error.ts";
import { call } from "../../../lib/api/call.ts";
import { useRefresh } from "../../../lib/api/use-refresh.ts";
import { useRequestForm } from "../../../lib/forms/use-request-form.ts";
import { announce } from "../../../lib/toast.ts";
import { AccessField } from "../../../components/tenants/access-field.tsx";

type Typed = z.input<typeof NewColleague>;

const InviteDialog = ({ onClose }: { onClose: () => void }) => {
  const refresh = useRefresh();
  const { field, form, failure, isBusy, submit } = useRequestForm<Typed, NewColleague>({
    schema: NewColleague,
    defaultValues: { email: "", firstName: "", lastName: "", access: "staff" },
    send: async (body) => {
      try {
        await call(team.inviteColleague, { body });
      } catch (error) {
        // The colleague may be listed despite the error, for example if only the mail failed.
        if (isUncertain(error)) void refresh(team.listTeam).catch(() => undefined);
        throw error;
      }
      announce({ type: "success", title: "Invitation sent", description: `${body.email} gets a link to choose a password.` });
      onClose();
      await refresh(team.listTeam);
    },
  });
  const access = useWatch({ control: form.control, name: "access" });
  return (
    <Dialog
      title="Invite Colleague"
      description="They get a link by email. It works once and expires in seven days."
      isDirty={form.formState.isDirty}
      onClose={onClose}
    >
      <FormFrame onSubmit={submit} failure={failure}>
        <TextField label="Email" type="email" autoComplete="off" {...field("email")} />
        <SimpleGrid columns={{ base: 1, sm: 2 }} gap="5">
          <TextField label="First name" isOptional autoComplete="off" {...field("firstName")} />
          <TextField label="Last name" isOptional autoComplete="off" {...field("lastName")} />
        </SimpleGrid>
        <AccessField isNew access={access} {...field("access")} />
        <DialogButtons isBusy={isBusy} action="Send Invitation" busyAction="Sending..." onCancel={onClose} />
      </FormFrame>
    </Dialog>
  );
};

export default InviteDialog;
