import { Badge } from "@chakra-ui/react/badge";
import { VisuallyHidden } from "@chakra-ui/react/visually-hidden";

/** On the tab of a form's part, as only one part is shown at a time. */
export const ProblemCount = ({ count }: { count: number }) =>
  count === 0 ? null : (
    <Badge colorPalette="red">
      {count}
      <VisuallyHidden>{count === 1 ? " problem" : " problems"}</VisuallyHidden>
    </Badge>
  );
