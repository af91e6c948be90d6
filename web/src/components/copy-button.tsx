import { Button } from "@chakra-ui/react/button";
import { VisuallyHidden } from "@chakra-ui/react/visually-hidden";
import Check from "lucide-react/dist/esm/icons/check.mjs";
import Copy from "lucide-react/dist/esm/icons/copy.mjs";
import { useEffect, useState } from "react";
import { tellFailure, useAction } from "../api/use-action.ts";
import { Announcement } from "./announcement.tsx";
import { ClipboardRefused, copyText } from "./clipboard.ts";

const shownMilliseconds = 2000;

export type Copying = {
  /** What is copied, or how it is read at that moment. */ text: string | (() => Promise<string>);
  onCopied?: () => void;
  /** Told beside what the button says by itself. */ onRefused?: () => void;
};

/** Puts a text into the clipboard and says so. `what` completes "Copy" for who does not see what stands beside; `copied` is what it says for two seconds. */
export const CopyButton = ({ what, text, copied = "Copied", onCopied, onRefused }: Copying & { what: string; copied?: string }) => {
  const [outcome, setOutcome] = useState<{ said: "Copied" | "Copy failed" }>();
  useEffect(() => {
    if (!outcome) return;
    const timer = setTimeout(() => setOutcome(undefined), shownMilliseconds);
    return () => clearTimeout(timer);
  }, [outcome]);

  const { run: copy } = useAction(
    async () => {
      await copyText(text);
      setOutcome({ said: "Copied" });
      onCopied?.();
    },
    (error) => {
      setOutcome({ said: "Copy failed" });
      if (error instanceof ClipboardRefused) onRefused?.();
      else tellFailure(error);
    },
  );

  return (
    <>
      <Button size="sm" variant="outline" onClick={() => copy()}>
        {outcome?.said === "Copied" ? <Check aria-hidden /> : <Copy aria-hidden />}
        {outcome?.said === "Copied" ? copied : (outcome?.said ?? "Copy")}
        <VisuallyHidden>{` ${what}`}</VisuallyHidden>
      </Button>
      <Announcement text={outcome ? `${outcome.said}: ${what}` : ""} />
    </>
  );
};
