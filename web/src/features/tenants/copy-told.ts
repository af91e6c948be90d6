import { announce } from "../../lib/toast.ts";
import type { Copying } from "../../components/data/copy-button.tsx";

/** What is announced of a copy, in the words that each kind of text has of its own. */
const telling = (copied: string, refused: string, what: string): Required<Pick<Copying, "onCopied" | "onRefused">> => ({
  onCopied: () => announce({ type: "success", title: copied }),
  onRefused: () => announce({ type: "error", title: refused, description: `The ${what} can still be selected and copied by hand.` }),
});

export const endpointTold = telling("Endpoint Copied", "Copy Failed", "address");
export const snippetTold = telling("Copied to clipboard", "Copy failed", "text");
