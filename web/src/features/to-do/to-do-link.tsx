import { Badge } from "@chakra-ui/react/badge";
import { VisuallyHidden } from "@chakra-ui/react/visually-hidden";
import { toDo } from "@vitaline/contract";
import { ButtonLink } from "../../components/layout/links.tsx";
import { useApi } from "../../lib/api/use-api.ts";
import { countText } from "./to-do-format.ts";
import { toDoPath } from "./to-do-path.ts";

/** With the number of open items, counted again on each page. Red while one of them is an emergency. */
export const ToDoLink = () => {
  const { data } = useApi(toDo.countToDo, {}, { fresh: true });
  const isEmpty = data === undefined || data.open === 0;
  return (
    <ButtonLink to={toDoPath} variant="outline">
      To do{" "}
      {isEmpty ? null : (
        <Badge colorPalette={data.emergencies > 0 ? "red" : "orange"}>
          {countText(data)}
          <VisuallyHidden>{` open${data.emergencies > 0 ? `, emergencies: ${data.emergencies}` : ""}`}</VisuallyHidden>
        </Badge>
      )}
    </ButtonLink>
  );
};
