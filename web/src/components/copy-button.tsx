import { Button } from "@chakra-ui/react/button";
import { VisuallyHidden } from "@chakra-ui/react/visually-hidden";
import Check from "lucide-react/dist/esm/icons/check.mjs";
import Copy from "lucide-react/dist/esm/icons/copy.mjs";
import { useState } from "react";
import { Announcement } from "./announcement.tsx";

const shownMilliseconds = 2000;

const copied = async (text: string): Promise<boolean> => {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // Refused by the person or the browser, or a page without TLS: what is to be copied can be selected.
    return false;
  }
};

/** Puts a text into the clipboard and says so. `what` completes "Copy" for who does not see what stands beside. */
export const CopyButton = ({ what, text }: { what: string; text: string }) => {
  const [outcome, setOutcome] = useState("");

  const copy = async () => {
    setOutcome((await copied(text)) ? "Copied" : "Copy failed");
    setTimeout(() => setOutcome(""), shownMilliseconds);
  };

  return (
    <>
      <Button size="sm" variant="outline" onClick={copy}>
        {outcome === "Copied" ? <Check aria-hidden /> : <Copy aria-hidden />}
        {outcome || "Copy"}
        <VisuallyHidden>{` ${what}`}</VisuallyHidden>
      </Button>
      <Announcement text={outcome && `${outcome}: ${what}`} />
    </>
  );
};
