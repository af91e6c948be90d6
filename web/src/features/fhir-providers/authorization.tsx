import { Alert } from "@chakra-ui/react/alert";
import { Button } from "@chakra-ui/react/button";
import { useEffect, useRef, useState } from "react";
import { useSearchParams } from "react-router-dom";
import { VisuallyHidden } from "@chakra-ui/react/visually-hidden";
import { isRecordId } from "../../lib/routing/search-params.ts";
import { useAction } from "../../lib/api/use-action.ts";
import { announce } from "../../lib/toast.ts";

type AuthorizeButtonProps = {
  name: string;
  isAuthorized: boolean;
  /** Returns the URL of the EHR's sign-in page */
  begin: () => Promise<{ url: string }>;
};

export const AuthorizeButton = ({ name, isAuthorized, begin }: AuthorizeButtonProps) => {
  const { run, isBusy } = useAction(async () => {
    const { url } = await begin();
    // A tenant entered this address: refuse schemes such as javascript:.
    if (/^https?:\/\//.test(url)) return window.location.assign(url);
    announce({ type: "error", title: "Error", description: `The sign-in page of ${name} has no address that can be opened.` });
  });
  return (
    <Button size="sm" variant={isAuthorized ? "outline" : "solid"} aria-disabled={isBusy} onClick={run}>
      {isBusy ? "Opening..." : isAuthorized ? "Authorize again" : "Authorize"}
      <VisuallyHidden>{` ${name}`}</VisuallyHidden>
    </Button>
  );
};

type Outcome = { status: "success" | "warning" | "error"; sentence: string };

/** By the `ehr` parameter of the URL that the OAuth callback redirects to. */
const outcomes: Record<string, Outcome> = {
  connected: { status: "success", sentence: "The record system is authorized. Test the connection to see that patients can be read." },
  expired: { status: "warning", sentence: "This sign-in was used before, or took too long. Please authorize the record system again." },
  changed: { status: "warning", sentence: "The record system was changed while you signed in. Please authorize it again." },
  denied: { status: "error", sentence: "The record system denied access. Ask its administrator, then authorize it again." },
  no_refresh_token: {
    status: "error",
    sentence: "The record system did not grant offline access. Ask its administrator to allow it, then authorize it again.",
  },
  refused: { status: "error", sentence: "The record system rejected the authorization. Please authorize it again." },
  unavailable: { status: "error", sentence: "The record system could not be reached. Please authorize it again in a few minutes." },
};

export const authorizationOutcome = (ehr: string | null): Outcome | undefined =>
  ehr !== null && Object.hasOwn(outcomes, ehr) ? outcomes[ehr] : undefined;

type Props = { onConnected?: (providerId: string) => void };

/** Shows the result of the OAuth callback and removes it from the URL. */
export const AuthorizationNotice = ({ onConnected }: Props) => {
  const [search, setSearch] = useSearchParams();
  const [told, setTold] = useState(() => authorizationOutcome(search.get("ehr")));
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
