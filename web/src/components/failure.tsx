import { Alert } from "@chakra-ui/react/alert";

/** Why something was refused; nothing while nothing was. */
export const Failure = ({ text }: { text: string | undefined }) =>
  text === undefined ? null : (
    <Alert.Root status="error" role="alert">
      <Alert.Description>{text}</Alert.Description>
    </Alert.Root>
  );
