import { Alert } from "@chakra-ui/react/alert";
import { chakra } from "@chakra-ui/react/styled-system";

/** What has been done, where it was asked for; nothing while nothing was. In a dialog, as a toast would stand behind it. */
export const Success = ({ text }: { text: string | undefined }) => (
  // Outside of the flow while it is empty, so that it takes no gap.
  <chakra.output _empty={{ position: "absolute" }}>
    {text === undefined ? null : (
      <Alert.Root status="success">
        <Alert.Description>{text}</Alert.Description>
      </Alert.Root>
    )}
  </chakra.output>
);
