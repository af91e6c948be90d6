/** The stage that a bare `cdk deploy` deploys. */
const usualStage = "demo";

/** cdk.json's context with what the CDK's command adds for this run (`-c stage=production`). */
export const contextWith = (context: Record<string, unknown>, given: string | undefined): Record<string, unknown> => ({
  ...context,
  ...(given ? (JSON.parse(given) as Record<string, unknown>) : {}),
});

export const stageOf = (context: Record<string, unknown>): string => (typeof context["stage"] === "string" ? context["stage"] : usualStage);
