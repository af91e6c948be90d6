import { Alert } from "@chakra-ui/react/alert";
import { explain, requestIdOf } from "../../api/api-error.ts";

/** Why a tool was not run at all. */
export const Refusal = ({ error }: { error: unknown }) => {
  const requestId = requestIdOf(error);
  return (
    <Alert.Root status="error" role="alert">
      <Alert.Content>
        <Alert.Title>The tool was not run</Alert.Title>
        <Alert.Description>{explain(error)}</Alert.Description>
        {requestId === undefined ? null : <Alert.Description>{`Request ID: ${requestId}`}</Alert.Description>}
      </Alert.Content>
    </Alert.Root>
  );
};
