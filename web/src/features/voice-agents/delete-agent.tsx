import { announce } from "../../lib/toast.ts";
import { useToldAction } from "../../lib/api/use-action.ts";
import { isStale } from "../../lib/api/api-error.ts";
import { Confirmation } from "../../components/dialog/confirmation.tsx";
import type { AgentRowProps } from "./agent-row.tsx";
import { refusalOf } from "./refusal-of.ts";
import { WhatFollows } from "./what-follows.tsx";

type Props = Pick<AgentRowProps, "agent" | "remove" | "onRemoved" | "onChanged"> & { onClose: () => void };

const done = "Voice agent assignment deleted successfully";
const failed = "Failed to delete voice agent assignment";

/** Asks before an agent answers no more. */
export const DeleteAgent = ({ agent, remove, onRemoved, onChanged, onClose }: Props) => {
  const { run, isBusy, failure } = useToldAction(
    async () => {
      try {
        await remove(agent);
      } catch (error) {
        // Shown as it is now, so that the next try is of what is there.
        if (isStale(error)) await onChanged();
        throw error;
      }
      onClose();
      announce({ type: "success", title: done, description: agent.agentName });
      await onRemoved(done);
    },
    (error) => refusalOf("Error", failed, error),
  );
  return (
    <Confirmation
      title="Delete assignment"
      action="Delete"
      busyAction="Deleting..."
      isBusy={isBusy}
      failure={failure}
      isDangerous
      onConfirm={() => run()}
      onCancel={onClose}
    >
      <p>Are you sure you want to delete this voice agent assignment?</p>
      <WhatFollows agent={agent} />
    </Confirmation>
  );
};
