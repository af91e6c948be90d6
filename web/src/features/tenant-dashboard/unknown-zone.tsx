import { Alert } from "@chakra-ui/react/alert";
import { Button } from "@chakra-ui/react/button";
import { explain } from "../../lib/api/api-error.ts";
import type { Loaded } from "../../lib/api/use-api.ts";

/** Says in which zone times and days are, as long as the organization's own is not known. */
export const UnknownZone = ({ settings: { error, refresh, isRefreshing } }: { settings: Loaded<unknown> }) => (
  <Alert.Root status="warning" role="alert" flexWrap="wrap" alignItems="center">
    <Alert.Content>
      <Alert.Title>Failed to load organization settings</Alert.Title>
      <Alert.Description>
        {`Times are in this browser's zone, as the organization's could not be loaded. ${explain(error)}`}
      </Alert.Description>
    </Alert.Content>
    <Button size="sm" variant="outline" onClick={refresh}>
      {isRefreshing ? "Retrying..." : "Retry"}
    </Button>
  </Alert.Root>
);
