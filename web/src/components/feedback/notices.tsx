import { VisuallyHidden } from "@chakra-ui/react/visually-hidden";
import { Alert } from "@chakra-ui/react/alert";
import { chakra } from "@chakra-ui/react/styled-system";
import { explain, requestIdOf } from "../../lib/api/api-error.ts";

/** Why an action did not happen, with the request to name to support. */
export const Refusal = ({ title, error }: { title: string; error: unknown }) => {
  const requestId = requestIdOf(error);
  return (
    <Alert.Root status="error" role="alert">
      <Alert.Content>
        <Alert.Title>{title}</Alert.Title>
        <Alert.Description>{explain(error)}</Alert.Description>
        {requestId === undefined ? null : <Alert.Description>{`Request ID: ${requestId}`}</Alert.Description>}
      </Alert.Content>
    </Alert.Root>
  );
};

/** Why something was refused; nothing while nothing was. */
export const Failure = ({ text }: { text: string | undefined }) =>
  text === undefined ? null : (
    <Alert.Root status="error" role="alert">
      <Alert.Description>{text}</Alert.Description>
    </Alert.Root>
  );

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

/** Said by screen readers, not shown: what everybody else sees from a skeleton. */
export const Announcement = ({ text }: { text: string }) => (
  <VisuallyHidden asChild>
    <output>{text}</output>
  </VisuallyHidden>
);
