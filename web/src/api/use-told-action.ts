import { useState } from "react";
import { explain } from "./api-error.ts";
import { useAction } from "./use-action.ts";

/** An action inside a dialog: why it was refused is told in the dialog, as a toast would stand behind it. */
export const useToldAction = <Arguments extends unknown[]>(
  act: (...given: Arguments) => Promise<void>,
  /** The sentence for whoever pressed the button. */ sentenceFor: (error: unknown) => string = explain,
) => {
  const [failure, setFailure] = useState<string>();
  const action = useAction(
    async (...given: Arguments) => {
      setFailure(undefined);
      await act(...given);
    },
    (error) => setFailure(sentenceFor(error)),
  );
  return { ...action, failure };
};
