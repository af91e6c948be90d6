import { Alert } from "@chakra-ui/react/alert";
import { formatCount } from "../../lib/format/numbers.ts";

/** The file that was just handed out is not all of it. */
export const ExportLimit = ({ rows }: { rows: number }) => (
  <Alert.Root status="warning" asChild>
    <output>
      <Alert.Description>
        {`The file holds the newest ${formatCount(rows)} of these calls. For the older ones, choose an earlier last day and export again.`}
      </Alert.Description>
    </output>
  </Alert.Root>
);
