import { VisuallyHidden } from "@chakra-ui/react/visually-hidden";
import { Alert } from "@chakra-ui/react/alert";
import { chakra } from "@chakra-ui/react/styled-system";
import { explain, requestIdOf } from "../../lib/api/api-error.ts";

/** Shows the error and the request id for support. */
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

export const Failure = ({ text }: { text: string | undefined }) =>
  text === undefined ? null : (
    <Alert.Root status="error" role="alert">
      <Alert.Description>{text}</Alert.Description>
    </Alert.Root>
  );

/** For dialogs, which would hide a toast. */
export const Success = ({ text }: { text: string | undefined }) => (
  // Without a position the empty element would take a gap.
  <chakra.output _empty={{ position: "absolute" }}>
    {text === undefined ? null : (
      <Alert.Root status="success">
        <Alert.Description>{text}</Alert.Description>
      </Alert.Root>
    )}
  </chakra.output>
);

/** For screen readers only, in place of a visible skeleton. */
export const Announcement = ({ text }: { text: string }) => (
  <VisuallyHidden asChild>
    <output>{text}</output>
  </VisuallyHidden>
);
