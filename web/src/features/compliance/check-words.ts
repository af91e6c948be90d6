import type { ComplianceMetrics } from "@vitaline/contract";

type Check = ComplianceMetrics["checks"][number];

/** Whether what has to hold does, in a word. */
export const stateOf = ({ ok }: Pick<Check, "ok">): { name: string; colorPalette: string } => {
  if (ok === null) return { name: "Not known yet", colorPalette: "gray" };
  return ok ? { name: "Passed", colorPalette: "green" } : { name: "Needs attention", colorPalette: "orange" };
};

/** A sentence that names an instant, with the instant as people say it. */
export const withMoments = (sentence: string, tell: (instant: string) => string): string =>
  sentence.replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, tell);
