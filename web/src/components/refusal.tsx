import { Alert } from "@chakra-ui/react/alert";
import { explain, requestIdOf } from "../api/api-error.ts";

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
