import { Alert } from "@chakra-ui/react/alert";
import { chakra } from "@chakra-ui/react/styled-system";
import type { ReactNode } from "react";

type Props = {
  onSubmit: () => Promise<void>;
  /** What is wrong with the form as a whole. */ failure: string | undefined;
  children: ReactNode;
};

/** One column of fields; why it was refused stands above them. */
export const FormFrame = ({ onSubmit, failure, children }: Props) => (
  <chakra.form
    display="flex"
    flexDirection="column"
    gap="5"
    noValidate
    onSubmit={(event) => {
      event.preventDefault();
      void onSubmit();
    }}
  >
    {failure === undefined ? null : (
      <Alert.Root status="error" role="alert">
        <Alert.Description>{failure}</Alert.Description>
      </Alert.Root>
    )}
    {children}
  </chakra.form>
);
