import { type User, users } from "@vitaline/contract";
import { call } from "../../lib/api/call.ts";
import { useToldAction } from "../../lib/api/use-action.ts";
import { Confirmation } from "../../components/dialog/confirmation.tsx";
import { nameOf } from "./user-words.ts";

type Props = { user: User; onDone: (user: User) => void; onClose: () => void };

/** Asks before somebody is locked out. */
export const DeactivateUser = ({ user, onDone, onClose }: Props) => {
  const { run, isBusy, failure } = useToldAction(async () => {
    onDone(await call(users.deactivateUser, { params: { userId: user.id } }));
  });
  return (
    <Confirmation
      title="Deactivate user?"
      action="Deactivate"
      busyAction="Deactivating..."
      isBusy={isBusy}
      failure={failure}
      isDangerous
      onConfirm={() => run()}
      onCancel={onClose}
    >
      {`${nameOf(user)} is signed out everywhere at once and cannot sign in until they are reactivated. What they did stays in the audit log.`}
    </Confirmation>
  );
};
