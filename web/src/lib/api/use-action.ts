import { useRef, useState } from "react";
import { announce } from "../toast.ts";
import { explain } from "./api-error.ts";

/** An action in a dialog, which shows the failure itself: a toast would be hidden behind it. */
export const useInlineAction = <Arguments extends unknown[]>(
  act: (...given: Arguments) => Promise<void>,
  sentenceFor: (error: unknown) => string = explain,
) => {
  const [failure, setFailure] = useState<string>();
  const action = useAction(
    async (...given: Arguments) => {
      setFailure(undefined);
      await act(...given);
    },
    (error) => setFailure(sentenceFor(error)),
  );
  return { ...action, failure, clear: () => setFailure(undefined) };
};

export const tellFailure = (error: unknown): void => announce({ type: "error", title: "Error", description: explain(error) });

/** Runs once at a time. A failure is shown as a toast. */
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
