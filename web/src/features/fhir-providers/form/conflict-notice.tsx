import { Alert } from "@chakra-ui/react/alert";
import { Button } from "@chakra-ui/react/button";

type Props = { changed: readonly string[]; onTakeTheirs: () => void };

export const ConflictNotice = ({ changed, onTakeTheirs }: Props) => (
  <Alert.Root status="warning" role="alert" flexWrap="wrap" alignItems="center">
    <Alert.Content>
      <Alert.Title>Someone else has changed this provider in the meantime</Alert.Title>
      <Alert.Description>
        {`${changed.length === 0 ? "A secret or nothing you can see here is different" : `They changed: ${changed.join(", ")}`}. What you typed is still here; saving it again replaces theirs.`}
      </Alert.Description>
    </Alert.Content>
    <Button size="sm" variant="outline" onClick={onTakeTheirs}>
      Load their version
    </Button>
  </Alert.Root>
);
