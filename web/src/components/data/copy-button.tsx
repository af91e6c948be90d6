import { Button } from "@chakra-ui/react/button";
import { VisuallyHidden } from "@chakra-ui/react/visually-hidden";
import Check from "lucide-react/dist/esm/icons/check.mjs";
import Copy from "lucide-react/dist/esm/icons/copy.mjs";
import { useEffect, useState } from "react";
import { Flex } from "@chakra-ui/react/flex";
import { chakra } from "@chakra-ui/react/styled-system";
import { tellFailure, useAction } from "../../lib/api/use-action.ts";
import { Announcement } from "../feedback/notices.tsx";

type Props = Pick<Copying, "onCopied" | "onRefused"> & {
  /** Names it to screen readers, and what the button copies. */ label: string;
  text: string;
  /** Copied instead of what is shown. */ copied?: Copying["text"];
};

/** Text for a machine, to be copied whole; the keyboard reaches it to scroll. */
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
      // A single line, such as an address, has no indents to keep.
      {...(!text.includes("\n") && { whiteSpace: "pre-wrap", overflowWrap: "anywhere" })}
    >
      {text}
    </chakra.pre>
  </chakra.div>
);

/** The browser or the person refused the clipboard: what is to be copied can still be selected. */
class ClipboardRefused extends Error {
  constructor(cause: unknown) {
    super("The clipboard could not be written.", { cause });
    this.name = "ClipboardRefused";
  }
}

/** Safari forgets the click while a text is on its way, unless the clipboard is given the promise of it. */
const writePromised = (promised: Promise<string>): Promise<void> =>
  navigator.clipboard.write([new ClipboardItem({ "text/plain": promised.then((text) => new Blob([text], { type: "text/plain" })) })]);

/** Puts a text into the clipboard, read first if it is not here yet. Throws ClipboardRefused, or why it could not be read. */
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
