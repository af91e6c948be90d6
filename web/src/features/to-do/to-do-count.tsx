import { Badge } from "@chakra-ui/react/badge";
import { VisuallyHidden } from "@chakra-ui/react/visually-hidden";
import { toDo } from "@vitaline/contract";
import { useLocation } from "react-router-dom";
import { useApi } from "../../lib/api/use-api.ts";
import { countText } from "./to-do-format.ts";

/** The number of open items, counted again on each page. Red while one of them is an emergency. */
export const ToDoCount = () => <Count key={useLocation().pathname} />;

const Count = () => {
  const { data } = useApi(toDo.countToDo, {}, { fresh: true });
  if (data === undefined || data.open === 0) return null;
  return (
    <Badge colorPalette={data.emergencies > 0 ? "red" : "orange"} ms="auto">
      {countText(data)}
      <VisuallyHidden>{` open${data.emergencies > 0 ? `, emergencies: ${data.emergencies}` : ""}`}</VisuallyHidden>
    </Badge>
  );
};
