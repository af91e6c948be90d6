import { Alert } from "@chakra-ui/react/alert";
import { Button } from "@chakra-ui/react/button";

type Props = {
  /** As in "changed this {what}". */ what: string;
  /** In words, what somebody else has changed. */ changed: readonly string[];
  onTakeTheirs: () => void;
};

/** What somebody else has saved meanwhile, and the way to go on from there. */
export const OvertakenNotice = ({ what, changed, onTakeTheirs }: Props) => (
  <Alert.Root status="warning" role="alert" flexWrap="wrap" alignItems="center">
    <Alert.Content>
      <Alert.Title>{`Somebody else has changed this ${what} in the meantime`}</Alert.Title>
      <Alert.Description>
        {`${changed.length === 0 ? "Nothing that stands here is different" : `They changed: ${changed.join(", ")}`}. What you typed is still here; saving again sends what you have changed, and leaves the rest as it is now.`}
      </Alert.Description>
    </Alert.Content>
    <Button size="sm" variant="outline" onClick={onTakeTheirs}>
      Load their version
    </Button>
  </Alert.Root>
);
