import { type TestedTool, tools } from "@vitaline/contract";
import { useState } from "react";
import { ApiError } from "../../lib/api/api-error.ts";
import { call } from "../../lib/api/call.ts";
import { useAction } from "../../lib/api/use-action.ts";

type ToolRequest = { name: string; values: Record<string, unknown> };
/** `id` counts within the page; lists are newest first. */
export type Run = ToolRequest & { id: number; body: object; answer: TestedTool };

type TestCall = { callId: string; sessionId?: string; runs: readonly Run[]; refusal?: unknown };

const newTestCall = (): TestCall => ({ callId: `test-${Date.now().toString(36)}`, runs: [] });

const needsConfirmation = (error: unknown): boolean => error instanceof ApiError && error.problem?.code === "confirmation_required";

/**
 * Runs that share a session, like those of one phone call: a verified identity holds for later runs. Results are patient data and stay in
 * this state only. `unconfirmed` is a run that waits for the user's confirmation.
 */
export const useTestCall = () => {
  const [testCall, setTestCall] = useState(newTestCall);
  const [unconfirmed, setUnconfirmed] = useState<ToolRequest>();
  const { sessionId } = testCall;

  const send = async ({ name, values }: ToolRequest, confirm: boolean): Promise<void> => {
    const body = { arguments: values, ...(sessionId && { sessionId }), ...(confirm && { confirm }) };
    const answer = await call(tools.testTool, { params: { name }, body });
    setTestCall(({ callId, runs }) => ({
      callId,
      sessionId: answer.sessionId,
      runs: [{ id: runs.length + 1, name, values, body, answer }, ...runs],
    }));
  };
  const { run, isBusy } = useAction(async (asked: ToolRequest, confirm: boolean) => {
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
    run: (asked: ToolRequest) => run(asked, false),
    confirm: () => unconfirmed && run(unconfirmed, true),
    cancel: () => setUnconfirmed(undefined),
    startOver: () => setTestCall(newTestCall()),
  };
};
export type TestCallState = ReturnType<typeof useTestCall>;
