import { Alert } from "@chakra-ui/react/alert";
import { Button } from "@chakra-ui/react/button";
import { Panel } from "./panel.tsx";

/** Stands in the place of a part of the page that broke; the rest of the page is as it was. */
export const FailedPart = ({ title }: { title: string }) => (
  <Panel title={title}>
    <Alert.Root status="error" role="alert" flexWrap="wrap" alignItems="center">
      <Alert.Content>
        <Alert.Title>This part could not be shown</Alert.Title>
        <Alert.Description>The others are not affected. Load the page again to try once more.</Alert.Description>
      </Alert.Content>
      <Button size="sm" variant="outline" onClick={() => location.reload()}>
        Load again
      </Button>
    </Alert.Root>
  </Panel>
);
