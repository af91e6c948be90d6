import { Alert } from "@chakra-ui/react/alert";
import { Button } from "@chakra-ui/react/button";
import type { Conflict } from "../../lib/forms/use-edit-form.ts";

type Props = {
  /** As in "changed this {what}". */
  what: string;
  conflict: Conflict | undefined;
  /** As in "{unseen} is different." */
  unseen?: string;
  /** The form always sends all of its fields. */
  replacesAll?: boolean;
};

const changesOnly = "Saving again sends only your changes.";
const everything = "Saving again replaces their version.";

export const EditConflict = ({ what, conflict, unseen = "No field of this form", replacesAll = false }: Props) =>
  conflict ? (
    <Alert.Root status="warning" role="alert" flexWrap="wrap" alignItems="center">
      <Alert.Content>
        <Alert.Title>{`Someone else has changed this ${what}`}</Alert.Title>
        <Alert.Description>
          {conflict.changed.length === 0 ? `${unseen} is different. ` : `They changed: ${conflict.changed.join(", ")}. `}
          {`Your entries are still here. ${replacesAll ? everything : changesOnly}`}
        </Alert.Description>
      </Alert.Content>
      <Button size="sm" variant="outline" onClick={conflict.takeTheirs}>
        Load their version
      </Button>
    </Alert.Root>
  ) : null;
