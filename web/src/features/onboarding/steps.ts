import type { Call, CallMetrics, OfficeCard, TenantFhirProvider, ToolRun } from "@vitaline/contract";

export type SetupState = {
  /** In this browser. */
  isKeyCopied: boolean;
  /** Of the signed-in user. */
  hasTotp: boolean;
  /** Of all time. */
  metrics: Pick<CallMetrics, "totalCalls" | "successfulCalls">;
  /** The newest calls, including calls in progress. */
  calls: readonly Pick<Call, "status">[];
  /** The newest runs. */
  toolRuns: readonly ToolRun[];
  offices: readonly Pick<OfficeCard, "id">[];
  providers: readonly Pick<TenantFhirProvider, "isActive" | "connectionStatus">[];
};

export type Step = {
  title: string;
  text: string;
  isDone: boolean;
  /** A tab of the dashboard, or another page. */
  to: { search: string } | string;
  action: string;
};

const keyText = (isCopied: boolean, isConnected: boolean): string => {
  if (isConnected) return "The key is with your voice platform.";
  return isCopied ? "You have copied the key." : "Your voice platform sends this key with each request.";
};

const keyStep = (isCopied: boolean, isConnected: boolean): Step => ({
  title: "Copy your API key",
  text: keyText(isCopied, isConnected),
  isDone: isCopied || isConnected,
  to: { search: "?tab=api-keys" },
  action: "Go to API Keys",
});

const platformStep = (isDone: boolean): Step => ({
  title: "Connect your voice platform",
  text: isDone
    ? "Requests from your voice platform have arrived."
    : "Give it the key and the endpoint. This is done once its first request has arrived.",
  isDone,
  to: "/tenant/developers",
  action: "See how to connect",
});

const officeStep = (count: number): Step => ({
  title: "Add an office",
  text:
    count === 0 ? "Callers hear its address, its hours and its staff." : `${count} ${count === 1 ? "office is" : "offices are"} set up.`,
  isDone: count > 0,
  to: { search: "?tab=offices" },
  action: "Go to Offices",
});

const recordSystemText = (providers: SetupState["providers"]): string => {
  const active = providers.filter(({ isActive }) => isActive);
  if (active.some(({ connectionStatus }) => connectionStatus !== "unhealthy")) return "A record system is connected.";
  if (active.length > 0) return "A record system is connected, but its last check failed.";
  return providers.length === 0
    ? "Voice agents look up patients and book appointments there."
    : "The connection is there, but it is switched off.";
};

/** An outage does not reset the step: other panels report it. */
const recordSystemStep = (providers: SetupState["providers"]): Step => ({
  title: "Connect your record system",
  text: recordSystemText(providers),
  isDone: providers.some(({ isActive }) => isActive),
  to: { search: "?tab=fhir" },
  action: "Go to FHIR",
});

const callStep = (isDone: boolean): Step => ({
  title: "Make a test call",
  text: isDone ? "A call has been completed." : "Call your voice agent. This is done once a call has been completed.",
  isDone,
  to: "/tenant/calls",
  action: "See your calls",
});

const secondFactorStep = (isDone: boolean): Step => ({
  title: "Turn on two-factor sign-in",
  text: isDone
    ? "A code from your authenticator app is needed to sign in."
    : "A code from an app protects your account if the password leaks.",
  isDone,
  to: "/account",
  action: "Go to your account",
});

/** A platform that sends calls has the key, even if it was not copied here. */
export const stepsOf = ({ isKeyCopied, hasTotp, metrics, calls, toolRuns, offices, providers }: SetupState): Step[] => {
  const isConnected = metrics.totalCalls > 0 || calls.length > 0 || toolRuns.length > 0;
  return [
    keyStep(isKeyCopied, isConnected),
    platformStep(isConnected),
    officeStep(offices.length),
    recordSystemStep(providers),
    callStep(metrics.successfulCalls > 0 || calls.some(({ status }) => status === "completed")),
    secondFactorStep(hasTotp),
  ];
};
