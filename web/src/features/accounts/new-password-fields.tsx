import type { InputProps } from "@chakra-ui/react/input";
import { TextField } from "../../components/form/fields.tsx";

type Field = InputProps & { error: string | undefined };

export const NewPasswordFields = ({ first, repeated }: { first: Field; repeated: Field }) => (
  <>
    <TextField
      label="New password"
      type="password"
      autoComplete="new-password"
      hint="At least 12 characters. A few words that do not belong together are easy to remember and hard to guess."
      {...first}
    />
    <TextField label="New password again" type="password" autoComplete="new-password" {...repeated} />
  </>
);
