import { Button } from "@chakra-ui/react/button";
import { Stack } from "@chakra-ui/react/stack";
import { chakra } from "@chakra-ui/react/styled-system";
import { useAuth } from "../../lib/session/auth.tsx";
import { Announcement } from "../../components/feedback/notices.tsx";
import { Bar } from "../../components/data/bar-list.tsx";
import { LoadFailure } from "../../components/feedback/loadable.tsx";
import { Panel } from "../../components/layout/panel.tsx";
import { dismissChecklist, useChecklistDismissed } from "./dismissed.ts";
import { StepItem } from "./step-item.tsx";
import { type Step, stepsOf } from "./steps.ts";
import { useBeginnings } from "./use-beginnings.ts";

const what = "what is set up already";

/** The way to a first call, until it is gone or its reader wants no more of it. It holds no place while it loads: most tenants are past it. */
export const GetStarted = ({ onDismissed }: { onDismissed: () => void }) => {
  const { user } = useAuth();
  const [userId, tenantId] = [user?.id ?? "", user?.tenantId ?? ""];
  const isDismissed = useChecklistDismissed(userId, tenantId);
  const { data, error, refresh, isRefreshing } = useBeginnings(tenantId, !isDismissed);
  const dismiss = () => {
    dismissChecklist(userId, tenantId);
    onDismissed();
  };
  if (isDismissed) return null;
  if (data) return <Checklist steps={stepsOf(data)} onDismiss={dismiss} />;
  if (error === undefined) return <Announcement text={`Loading ${what}...`} />;
  return <LoadFailure what={what} error={error} onRetry={refresh} isRetrying={isRefreshing} />;
};

const Checklist = ({ steps, onDismiss }: { steps: readonly Step[]; onDismiss: () => void }) => {
  const done = steps.filter(({ isDone }) => isDone).length;
  if (done === steps.length) return null;
  const next = steps.find(({ isDone }) => !isDone);
  const progress = `${done} of ${steps.length} steps done`;
  return (
    <Panel
      title="Get started"
      description={progress}
      actions={
        <Button size="sm" variant="outline" onClick={onDismiss}>
          Dismiss
        </Button>
      }
    >
      <Stack gap="3">
        <Bar label="Steps done" value={done} max={steps.length} text={progress} />
        <chakra.ol listStyleType="none" mb="-3" aria-label="Steps to your first call">
          {steps.map((step) => (
            <StepItem key={step.title} step={step} isNext={step === next} />
          ))}
        </chakra.ol>
      </Stack>
    </Panel>
  );
};
