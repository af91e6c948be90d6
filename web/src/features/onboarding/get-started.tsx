import { Button } from "@chakra-ui/react/button";
import { Stack } from "@chakra-ui/react/stack";
import { chakra } from "@chakra-ui/react/styled-system";
import { Badge } from "@chakra-ui/react/badge";
import { Box } from "@chakra-ui/react/box";
import { Text } from "@chakra-ui/react/text";
import CircleCheck from "lucide-react/dist/esm/icons/circle-check.mjs";
import Circle from "lucide-react/dist/esm/icons/circle.mjs";
import { tenantCalls, tenantDashboard, tenantFhirProviders, tenantOffices } from "@vitaline/contract";
import { useAuth } from "../../lib/session/auth.tsx";
import { Announcement } from "../../components/feedback/alerts.tsx";
import { Bar } from "../../components/data/bar-list.tsx";
import { LoadFailure } from "../../components/feedback/loadable.tsx";
import { Panel } from "../../components/layout/panel.tsx";
import { dismissChecklist, useChecklistDismissed, useKeyCopied } from "./progress.ts";
import { type SetupState, type Step, stepsOf } from "./steps.ts";
import { ButtonLink } from "../../components/layout/links.tsx";
import { type Loaded, useApi } from "../../lib/api/use-api.ts";

const what = "what is set up already";

/** Renders nothing while loading: most tenants have finished. */
export const GetStarted = ({ onDismissed }: { onDismissed: () => void }) => {
  const { user } = useAuth();
  const [userId, tenantId] = [user?.id ?? "", user?.tenantId ?? ""];
  const isDismissed = useChecklistDismissed(userId, tenantId);
  const { data, error, refresh, isRefreshing } = useSetupState(tenantId, user?.hasTotp ?? false, !isDismissed);
  const dismiss = () => {
    dismissChecklist(userId, tenantId);
    onDismissed();
  };
  if (isDismissed) return null;
  if (data) return <Checklist steps={stepsOf(data)} onDismiss={dismiss} />;
  if (error === undefined) return <Announcement text={`Loading ${what}...`} />;
  return <LoadFailure what={what} error={error} onRetry={refresh} isRetrying={isRefreshing} />;
};

/** Reads nothing unless `when`. */
const useSetupState = (tenantId: string, hasTotp: boolean, when: boolean): Loaded<SetupState> => {
  const isKeyCopied = useKeyCopied(tenantId);
  const metrics = useApi(tenantDashboard.tenantMetrics, { query: { range: "all" } }, { when });
  const calls = useApi(tenantDashboard.recentCalls, { query: { limit: 5 } }, { when });
  const toolRuns = useApi(tenantCalls.listToolCalls, { query: { limit: 1 } }, { when });
  const offices = useApi(tenantOffices.officeCards, {}, { when });
  const providers = useApi(tenantFhirProviders.listTenantFhirProviders, {}, { when });
  const missing = [metrics, calls, toolRuns, offices, providers].filter(({ data }) => data === undefined);
  return {
    data: metrics.data &&
      calls.data &&
      toolRuns.data &&
      offices.data &&
      providers.data && {
        isKeyCopied,
        hasTotp,
        metrics: metrics.data,
        calls: calls.data,
        toolRuns: toolRuns.data,
        offices: offices.data,
        providers: providers.data,
      },
    receivedAt: metrics.receivedAt,
    error: missing.find(({ error }) => error !== undefined)?.error,
    isLoading: missing.some(({ isLoading }) => isLoading),
    isRefreshing: missing.some(({ isRefreshing }) => isRefreshing),
    refresh: () => missing.forEach(({ refresh }) => refresh()),
  };
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

type Props = { step: Step; isNext: boolean };

const StepItem = ({ step: { title, text, isDone, to, action }, isNext }: Props) => (
  <chakra.li
    display="flex"
    flexWrap={{ base: "wrap", sm: "nowrap" }}
    alignItems="center"
    columnGap="4"
    rowGap="2"
    py="3"
    borderColor="border.muted"
    _notFirst={{ borderTopWidth: "1px" }}
  >
    <Box color={isDone ? "green.fg" : "fg.muted"} flexShrink="0" alignSelf="flex-start" mt="0.5">
      {isDone ? <CircleCheck width={20} height={20} aria-hidden /> : <Circle width={20} height={20} aria-hidden />}
    </Box>
    <Box flex="1" minW="0">
      <Text fontWeight="semibold">{title}</Text>
      <Text textStyle="sm" color="fg.muted">
        {text}
      </Text>
    </Box>
    {isDone ? (
      <Badge colorPalette="green">Done</Badge>
    ) : (
      <ButtonLink
        to={to}
        size="sm"
        variant={isNext ? "solid" : "outline"}
        ms={{ base: "9", sm: "0" }}
        flexBasis={{ base: "calc(100% - 2.25rem)", sm: "auto" }}
      >
        {action}
      </ButtonLink>
    )}
  </chakra.li>
);
