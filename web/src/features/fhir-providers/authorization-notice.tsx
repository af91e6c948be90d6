import { Alert } from "@chakra-ui/react/alert";
import { Button } from "@chakra-ui/react/button";
import { useEffect, useState } from "react";
import { useSearchParams } from "react-router-dom";
import { outcomeOf } from "./authorization-outcomes.ts";

/** Says what came of the sign-in at a record system that has just led back here. The address forgets it at once. */
export const AuthorizationNotice = () => {
  const [search, setSearch] = useSearchParams();
  const [told, setTold] = useState(() => outcomeOf(search.get("ehr")));
  const isInAddress = search.has("ehr");
  useEffect(() => {
    if (isInAddress) setSearch({ tab: "fhir" }, { replace: true });
  }, [isInAddress, setSearch]);
  if (!told) return null;
  return (
    <Alert.Root status={told.status} role={told.status === "success" ? "status" : "alert"} alignItems="center">
      <Alert.Content>
        <Alert.Description>{told.sentence}</Alert.Description>
      </Alert.Content>
      <Button size="sm" variant="outline" onClick={() => setTold(undefined)}>
        Dismiss
      </Button>
    </Alert.Root>
  );
};
