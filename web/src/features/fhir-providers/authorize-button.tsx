import { Button } from "@chakra-ui/react/button";
import { VisuallyHidden } from "@chakra-ui/react/visually-hidden";
import { useAction } from "../../lib/api/use-action.ts";
import { announce } from "../../lib/toast.ts";

type Props = {
  /** Of the record system. */ name: string;
  isAuthorized: boolean;
  /** Gives the address of its sign-in page. */ begin: () => Promise<{ url: string }>;
};

/** Leads to a record system's own sign-in page, which leads back here. */
export const AuthorizeButton = ({ name, isAuthorized, begin }: Props) => {
  const { run, isBusy } = useAction(async () => {
    const { url } = await begin();
    // What a tenant typed is no reason to run a script.
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
