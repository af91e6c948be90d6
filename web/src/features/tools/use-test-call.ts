import { type TestedTool, tools } from "@vitaline/contract";
import { useState } from "react";
import { ApiError } from "../../lib/api/api-error.ts";
import { call } from "../../lib/api/call.ts";
import { useAction } from "../../lib/api/use-action.ts";

type Asked = { name: string; values: Record<string, unknown> };
/** A run with what was sent and what came back, newest first in lists. `id` counts within the page. */
export type Run = Asked & { id: number; body: object; answer: TestedTool };

type TestCall = { callId: string; sessionId?: string; runs: readonly Run[]; refusal?: unknown };

/** A call of its own for commands that are made by hand. */
const begin = (): TestCall => ({ callId: `test-${Date.now().toString(36)}`, runs: [] });

const needsConfirmation = (error: unknown): boolean => error instanceof ApiError && error.problem?.code === "confirmation_required";

/**
 * Runs that belong together as those of one phone call do: an identity verified in one holds for the next. What they brought is patient
 * data, so it lives here alone and goes with the page. `unconfirmed` is a run that waits for a yes, as it changes something.
 */
export const useTestCall = () => {
  const [testCall, setTestCall] = useState(begin);
  const [unconfirmed, setUnconfirmed] = useState<Asked>();
  const { sessionId } = testCall;

  const send = async ({ name, values }: Asked, confirm: boolean): Promise<void> => {
    const body = { arguments: values, ...(sessionId && { sessionId }), ...(confirm && { confirm }) };
    const answer = await call(tools.testTool, { params: { name }, body });
    setTestCall(({ callId, runs }) => ({
      callId,
      sessionId: answer.sessionId,
      runs: [{ id: runs.length + 1, name, values, body, answer }, ...runs],
    }));
  };
  const { run, isBusy } = useAction(async (asked: Asked, confirm: boolean) => {
    try {
      await send(asked, confirm);
      setUnconfirmed(undefined);
    } catch (error) {
      const mustAsk = !confirm && needsConfirmation(error);
      setUnconfirmed(mustAsk ? asked : undefined);
      setTestCall(({ refusal: _before, ...rest }) => ({ ...rest, ...(mustAsk ? {} : { refusal: error }) }));
    }
  });

  return {
    ...testCall,
    isBusy,
    unconfirmed,
    run: (asked: Asked) => run(asked, false),
    confirm: () => unconfirmed && run(unconfirmed, true),
    cancel: () => setUnconfirmed(undefined),
    startOver: () => setTestCall(begin()),
  };
};
export type TestCallState = ReturnType<typeof useTestCall>;
