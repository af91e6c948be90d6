import { useRef, useState } from "react";
import { announce } from "../toast.ts";
import { explain } from "./api-error.ts";

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

/** A toast that says why something was refused. */
export const tellFailure = (error: unknown): void => announce({ type: "error", title: "Error", description: explain(error) });

/** What a button does: once at a time, however often it is pressed; a refusal is told. */
export const useAction = <Arguments extends unknown[]>(
  act: (...given: Arguments) => Promise<void>,
  tell: (error: unknown) => void = tellFailure,
) => {
  const [isBusy, setIsBusy] = useState(false);
  const isRunning = useRef(false);
  const run = async (...given: Arguments): Promise<void> => {
    if (isRunning.current) return;
    isRunning.current = true;
    setIsBusy(true);
    try {
      await act(...given);
    } catch (error) {
      tell(error);
    } finally {
      isRunning.current = false;
      setIsBusy(false);
    }
  };
  return { run: (...given: Arguments) => void run(...given), isBusy };
};
