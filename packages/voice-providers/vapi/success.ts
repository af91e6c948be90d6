const yes = new Set(["true", "yes", "pass", "passed", "success", "successful", "excellent", "good", "agree", "strongly agree"]);
const no = new Set(["false", "no", "fail", "failed", "failure", "unsuccessful", "poor", "disagree", "strongly disagree"]);

/**
 * Vapi's success evaluation in one bit. Its rubric is the tenant's choice: pass or fail, a word, 1 to 10, or a percentage;
 * the upper half counts as success. undefined: none was made, or it says neither.
 */
export function succeeded(evaluation: unknown): boolean | undefined {
  if (typeof evaluation !== "string" && typeof evaluation !== "number" && typeof evaluation !== "boolean") return undefined;
  const said = String(evaluation).trim().toLowerCase();
  if (yes.has(said)) return true;
  if (no.has(said)) return false;
  const [, outOfTen] = /^(10|[1-9](?:\.\d+)?)(?: ?\/ ?10)?$/.exec(said) ?? [];
  if (outOfTen !== undefined) return Number(outOfTen) >= 5;
  const [, percent] = /^(100|\d{1,2}(?:\.\d+)?) ?%$/.exec(said) ?? [];
  return percent === undefined ? undefined : Number(percent) >= 50;
}
