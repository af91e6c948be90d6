import { Stack } from "@chakra-ui/react/stack";
import type { User } from "@vitaline/contract";
import { useState } from "react";
import { Dialog } from "../../components/dialog.tsx";
import { AccountPart } from "./account-part.tsx";
import { EditUserForm } from "./edit-user-form.tsx";
import { nameOf } from "./user-words.ts";

type Props = { /** As the list has it now. */ user: User; onChanged: (user: User) => void; onClose: () => void };

/** Who a user is, and what can be done for or against them. */
const EditUserDialog = ({ user, onChanged, onClose }: Props) => {
  const [begun, setBegun] = useState(user);
  const [isDirty, setIsDirty] = useState(false);
  return (
    <Dialog title={nameOf(begun)} description={begun.email} isDirty={isDirty} onClose={onClose}>
      <Stack gap="8">
        <EditUserForm
          key={begun.version}
          {...{ begun, user, onChanged }}
          onDirty={setIsDirty}
          onTakeTheirs={() => setBegun(user)}
          onClose={onClose}
        />
        <AccountPart user={user} onChanged={onChanged} />
      </Stack>
    </Dialog>
  );
};

export default EditUserDialog;
