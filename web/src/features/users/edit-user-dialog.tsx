import type { User } from "@vitaline/contract";
import { useState } from "react";
import { Dialog } from "../../components/dialog/dialog.tsx";
import type { Question } from "./account-actions.tsx";
import { AccountPart } from "./account-part.tsx";
import { DeactivateUser } from "./deactivate-user.tsx";
import { EditUserForm } from "./edit-user-form.tsx";
import { ResetPasswordDialog } from "./reset-password-dialog.tsx";
import { nameOf } from "./user-words.ts";

type Props = { /** As the list has it now. */ user: User; onChanged: (user: User) => void; onClose: () => void };

/** Who a user is, and what can be done for or against them; what has to be asked first stands in front of it. */
const EditUserDialog = ({ user, onChanged, onClose }: Props) => {
  const [begun, setBegun] = useState(user);
  const [isDirty, setIsDirty] = useState(false);
  const [question, setQuestion] = useState<Question>();
  const [said, setSaid] = useState<string>();
  const answered = () => setQuestion(undefined);
  const done = (changed: User, sentence: string) => {
    onChanged(changed);
    setSaid(sentence);
    answered();
  };
  return (
    <>
      <Dialog title={nameOf(begun)} description={begun.email} isDirty={isDirty} onClose={onClose}>
        <EditUserForm
          key={begun.version}
          {...{ begun, user, onChanged }}
          onDirty={setIsDirty}
          onTakeTheirs={() => setBegun(user)}
          onClose={onClose}
        >
          <AccountPart user={user} said={said} onBegin={() => setSaid(undefined)} onAsk={setQuestion} onDone={done} />
        </EditUserForm>
      </Dialog>
      {question === "reset" ? <ResetPasswordDialog user={user} onDone={done} onClose={answered} /> : null}
      {question === "deactivate" ? (
        <DeactivateUser
          user={user}
          onDone={(changed) => done(changed, "They are signed out and cannot sign in any more.")}
          onClose={answered}
        />
      ) : null}
    </>
  );
};

export default EditUserDialog;
