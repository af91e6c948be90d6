import { Alert } from "@chakra-ui/react/alert";
import { Button } from "@chakra-ui/react/button";
import { useEffect, useRef, useState } from "react";
import { useSearchParams } from "react-router-dom";
import { isRecordId } from "../../lib/routing/search-params.ts";
import { outcomeOf } from "./authorization-outcomes.ts";

type Props = { /** With the record system that has just let us in. */ onConnected?: (providerId: string) => void };

/** Says what came of the sign-in at a record system that has just led back here. The address forgets it at once. */
export const AuthorizationNotice = ({ onConnected }: Props) => {
  const [search, setSearch] = useSearchParams();
  const [told, setTold] = useState(() => outcomeOf(search.get("ehr")));
  const isInAddress = search.has("ehr");
  const connected = told?.status === "success" ? search.get("fhirProvider") : null;
  const isTold = useRef(false);
  useEffect(() => {
    if (!isInAddress) return;
    if (isRecordId(connected) && !isTold.current) onConnected?.(connected);
    isTold.current = true;
    setSearch({ tab: "fhir" }, { replace: true });
  }, [isInAddress, connected, onConnected, setSearch]);
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
