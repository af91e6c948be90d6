import { SimpleGrid } from "@chakra-ui/react/simple-grid";
import { Text } from "@chakra-ui/react/text";
import { ColleagueChanges, team, type User } from "@vitaline/contract";
import { useState } from "react";
import { useWatch } from "react-hook-form";
import type * as z from "zod/mini";
import { Confirmation } from "../../../components/dialog/confirmation.tsx";
import { DialogButtons } from "../../../components/dialog/dialog-footer.tsx";
import { Dialog } from "../../../components/dialog/dialog.tsx";
import { Success } from "../../../components/feedback/alerts.tsx";
import { EditConflict } from "../../../components/form/edit-conflict.tsx";
import { TextField } from "../../../components/form/fields.tsx";
import { FormFrame } from "../../../components/form/form-frame.tsx";
import { call } from "../../../lib/api/call.ts";
import { readAll } from "../../../lib/api/use-all.ts";
import { useInlineAction } from "../../../lib/api/use-action.ts";
import { changedFields, useEditForm } from "../../../lib/forms/use-edit-form.ts";
import { useFocusLater } from "../../../lib/dom/use-later-focus.ts";
import { useAuth } from "../../../lib/session/auth.tsx";
import { announce } from "../../../lib/toast.ts";
import { outcomes } from "../../users/act-buttons.tsx";
import { nameOf } from "../../users/user-status.tsx";
import { AccessField } from "../../../components/tenants/access-field.tsx";
import { ColleagueActs, type Question } from "./colleague-acts.tsx";
import { ResetTotpDialog } from "./reset-totp-dialog.tsx";

type Props = { colleague: User; onChanged: (user: User) => void; onClose: () => void };
type Typed = z.input<typeof ColleagueChanges>;

const labels = { firstName: "first name", lastName: "last name", access: "access" } as const;
const names = Object.keys(labels) as (keyof typeof labels)[];
const valuesOf = ({ firstName, lastName, access = "administrator" }: User): Typed => ({ firstName, lastName, access });
const differences = (before: User, after: User): string[] =>
  changedFields(names, valuesOf(before), valuesOf(after)).map((name) => labels[name]);

const ColleagueDialog = ({ colleague, onChanged, onClose }: Props) => {
  const isOneself = useAuth().user?.id === colleague.id;
  const [question, setQuestion] = useState<Question>();
  const [said, setSaid] = useState<string>();
  const { begun, conflict, field, form, failure, isBusy, submit } = useEditForm<User, Typed, ColleagueChanges>({
    current: colleague,
    valuesOf,
    schema: ColleagueChanges,
    differences,
    save: async (typed, before) => {
      const changed = changedFields(names, valuesOf(before), typed);
      if (changed.length === 0) return onClose();
      const body = Object.fromEntries(changed.map((name) => [name, typed[name]]));
      onChanged(await call(team.changeColleague, { params: { userId: colleague.id }, body }, { ifMatch: colleague.version }));
      onClose();
      announce({ type: "success", title: "Colleague saved" });
    },
    reread: async () => {
      const now = (await readAll(team.listTeam, {})).find(({ id }) => id === colleague.id);
      if (now) onChanged(now);
    },
  });
  const access = useWatch({ control: form.control, name: "access" });
  const { button: lastButton, focusLater } = useFocusLater();
  const answered = () => setQuestion(undefined);
  const done = (changed: User, sentence: string, isGone = false) => {
    onChanged(changed);
    setSaid(sentence);
    answered();
    if (isGone) focusLater();
  };
  const leaveReset = () => {
    answered();
    // Only the mail failed: the button that was pressed is gone.
    if (!colleague.hasTotp) focusLater();
  };
  return (
    <>
      <Dialog title={nameOf(begun)} description={begun.email} isDirty={form.formState.isDirty} onClose={onClose}>
        <FormFrame onSubmit={submit} failure={failure}>
          <EditConflict what="colleague" conflict={conflict} />
          <SimpleGrid columns={{ base: 1, sm: 2 }} gap="5">
            <TextField label="First name" isOptional autoComplete="off" {...field("firstName")} />
            <TextField label="Last name" isOptional autoComplete="off" {...field("lastName")} />
          </SimpleGrid>
          {isOneself ? (
            <Text textStyle="sm" color="fg.muted">
              This is you. Another administrator can change your access or remove you.
            </Text>
          ) : (
            <>
              <AccessField access={access} {...field("access")} />
              <Success text={said} />
              <ColleagueActs colleague={colleague} onBegin={() => setSaid(undefined)} onAsk={setQuestion} onDone={done} ref={lastButton} />
            </>
          )}
          <DialogButtons isBusy={isBusy} action="Save Changes" busyAction="Saving..." onCancel={onClose} />
        </FormFrame>
      </Dialog>
      {question === "remove" ? <Removal colleague={colleague} onDone={(user) => done(user, outcomes.removed)} onClose={answered} /> : null}
      {question === "totp" ? (
        <ResetTotpDialog colleague={colleague} onDone={(user, sentence) => done(user, sentence, true)} onClose={leaveReset} />
      ) : null}
    </>
  );
};

type RemovalProps = { colleague: User; onDone: (user: User) => void; onClose: () => void };

const Removal = ({ colleague, onDone, onClose }: RemovalProps) => {
  const { run, isBusy, failure } = useInlineAction(async () => {
    onDone(await call(team.changeColleague, { params: { userId: colleague.id }, body: { isActive: false } }));
  });
  return (
    <Confirmation
      title="Remove colleague?"
      action="Remove"
      busyAction="Removing..."
      isBusy={isBusy}
      failure={failure}
      isDangerous
      onConfirm={() => run()}
      onCancel={onClose}
    >
      {`${nameOf(colleague)} is signed out everywhere at once and cannot sign in. An administrator can restore them. Their past actions stay in the audit log.`}
    </Confirmation>
  );
};

export default ColleagueDialog;
