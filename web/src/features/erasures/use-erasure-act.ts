import { useState } from "react";
import { ApiError, explain, isUncertain } from "../../lib/api/api-error.ts";
import { useAction } from "../../lib/api/use-action.ts";
import type { ErasureState } from "./use-erasure.ts";

/** Whether it is not any more as it was shown: another person has acted, or time has. */
export const isOvertaken = (error: unknown): boolean => error instanceof ApiError && (error.status === 409 || error.status === 404);

type Reading = Pick<ErasureState, "take" | "reread">;

/** Acts on an erasure: why one was refused is told in the dialog; where it may be otherwise than it is shown, it is read again. */
export const useErasureAct = <Arguments extends unknown[]>(
  act: (...given: Arguments) => Promise<void>,
  { take, reread }: Reading,
  onRefused: (error: unknown) => void = () => undefined,
) => {
  const [failure, setFailure] = useState<string>();
  const forget = () => setFailure(undefined);
  const action = useAction(
    async (...given: Arguments) => {
      forget();
      await act(...given);
    },
    (error) => {
      setFailure(explain(error));
      onRefused(error);
      if (isOvertaken(error) || isUncertain(error)) void reread().then(take, () => undefined);
    },
  );
  return { ...action, failure, forget };
};
