import { Button } from "@chakra-ui/react/button";
import { VisuallyHidden } from "@chakra-ui/react/visually-hidden";
import Check from "lucide-react/dist/esm/icons/check.mjs";
import Copy from "lucide-react/dist/esm/icons/copy.mjs";
import { useEffect, useState } from "react";
import { Flex } from "@chakra-ui/react/flex";
import { chakra } from "@chakra-ui/react/styled-system";
import { tellFailure, useAction } from "../../lib/api/use-action.ts";
import { Announcement } from "../feedback/alerts.tsx";

type Props = Pick<Copying, "onCopied" | "onRefused"> & {
  /** The accessible name, also of the copy button. */
  label: string;
  text: string;
  /** Copied instead of the displayed text. */
  copied?: Copying["text"];
};

export const CodeBlock = ({ label, text, copied = text, ...told }: Props) => (
  <chakra.div borderWidth="1px" borderColor="border" borderRadius="l2" bg="bg.subtle" minW="0" w="full">
    <Flex justify="space-between" align="center" gap="3" ps="4" pe="2" py="2" borderBottomWidth="1px" borderColor="border">
      <chakra.span textStyle="sm" fontWeight="medium" color="fg.muted" minW="0" overflowWrap="anywhere">
        {label}
      </chakra.span>
      <CopyButton what={label} text={copied} {...told} />
    </Flex>
    <chakra.pre
      tabIndex={0}
      role="region"
      aria-label={label}
      m="0"
      px="4"
      py="3"
      maxH="96"
      overflow="auto"
      fontFamily="mono"
      textStyle="xs"
      outline="0"
      focusVisibleRing="inside"
      // A single line has no indentation to preserve and may wrap.
      {...(!text.includes("\n") && { whiteSpace: "pre-wrap", overflowWrap: "anywhere" })}
    >
      {text}
    </chakra.pre>
  </chakra.div>
);

class ClipboardRefused extends Error {
  constructor(cause: unknown) {
    super("The clipboard could not be written.", { cause });
    this.name = "ClipboardRefused";
  }
}

/** Safari rejects a clipboard write after an awaited request, but accepts a promise of the content. */
const writePromised = (promised: Promise<string>): Promise<void> =>
  navigator.clipboard.write([new ClipboardItem({ "text/plain": promised.then((text) => new Blob([text], { type: "text/plain" })) })]);

/** Throws ClipboardRefused, or the error of reading the text. */
const copyText = async (text: string | (() => Promise<string>)): Promise<void> => {
  const promised = typeof text === "string" ? Promise.resolve(text) : text();
  try {
    await (typeof text === "string" ? navigator.clipboard.writeText(text) : writePromised(promised));
  } catch (error) {
    await promised;
    throw new ClipboardRefused(error);
  }
};

const shownMilliseconds = 2000;

export type Copying = {
  /** The text, or a function that reads it on demand. */
  text: string | (() => Promise<string>);
  onCopied?: () => void;
  /** Called in addition to the button's own feedback. */
  onRefused?: () => void;
};

/** Copies a text. `what` completes the accessible name "Copy {what}"; `copied` is shown for two seconds. */
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
