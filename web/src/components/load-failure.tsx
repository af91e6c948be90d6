import { Alert } from "@chakra-ui/react/alert";
import { Button } from "@chakra-ui/react/button";
import { explain, requestIdOf } from "../api/api-error.ts";

type Props = {
  /** What did not load, as in "Failed to load {what}". */ what: string;
  /** Said instead of that. */ title?: string | undefined;
  error: unknown;
  onRetry: () => void;
  isRetrying: boolean;
};

/** Stands where data should be: what went wrong, the request to name to support, and another try. */
export const LoadFailure = ({ what, title = `Failed to load ${what}`, error, onRetry, isRetrying }: Props) => {
  const requestId = requestIdOf(error);
  return (
    <Alert.Root status="error" role="alert" flexWrap="wrap" alignItems="center">
      <Alert.Content>
        <Alert.Title>{title}</Alert.Title>
        <Alert.Description>{explain(error)}</Alert.Description>
        {requestId === undefined ? null : <Alert.Description>{`Request ID: ${requestId}`}</Alert.Description>}
      </Alert.Content>
      <Button size="sm" variant="outline" onClick={onRetry}>
        {isRetrying ? "Retrying..." : "Retry"}
      </Button>
    </Alert.Root>
  );
};
