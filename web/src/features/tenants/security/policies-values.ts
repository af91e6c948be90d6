import { MinorsPolicy, Policies, type Retention, retentionDays, type TenantChange } from "@vitaline/contract";
import * as z from "zod/mini";
import type { TenantFormProps } from "../use-tenant.ts";

/** In the order of the form. */
export const retentionFields = [
  { name: "calls", label: "Keep calls for" },
  { name: "transcripts", label: "Keep transcripts and summaries for" },
  { name: "leads", label: "Keep leads and tasks for" },
  { name: "messages", label: "Keep message records for" },
] as const satisfies readonly { name: keyof Retention; label: string }[];

const yearDays = 365.25;

/** "90 days", "1 year" */
export const periodInWords = (days: number): string => {
  if (days < yearDays - 1) return `${days} days`;
  const years = Math.round(days / yearDays);
  return years === 1 ? "1 year" : `${years} years`;
};

export const periods = retentionDays.map((days) => ({ value: String(days), label: periodInWords(days) }));

const Switches = z.omit(Policies, { toolLevels: true, textCountries: true, toolRunsPerMinute: true, minors: true, retention: true });

type Switches = z.infer<typeof Switches>;

const adultYears = 18;
/** Ages from which a parent hears no medical record. */
export const confidentialAges = Array.from({ length: adultYears + 1 }, (_, age) => ({
  value: String(age),
  label: age === adultYears ? "At no age" : age === 0 ? "At any age" : `From age ${age}`,
}));
const MinorsFields = z.strictObject({
  ...z.omit(MinorsPolicy, { confidentialFrom: true }).shape,
  confidentialFrom: z.pipe(z.enum(confidentialAges.map(({ value }) => value)), z.transform(Number)),
});
type MinorsValues = z.input<typeof MinorsFields>;
const minorsNames = ["guardians", "contacts", "confidentialFrom"] as const satisfies readonly (keyof MinorsValues)[];

/** "US, CA"; null for none: only the organization's own country. */
const codesIn = (text: string): string[] | null => {
  const codes = text
    .toUpperCase()
    .split(/[\s,;]+/)
    .filter(Boolean);
  return codes.length === 0 ? null : [...new Set(codes)];
};

const TextCountries = z.pipe(
  z
    .string()
    .check(
      z.refine(
        (text) => (codesIn(text) ?? []).every((code) => /^[A-Z]{2}$/.test(code)),
        "Enter two letters for each country, such as US, CA",
      ),
    ),
  z.transform(codesIn),
);

const runsRange = { from: 60, to: 100_000 };
const ToolRuns = z.pipe(
  z
    .string()
    .check(
      z.refine(
        (text) => /^\d+$/.test(text.trim()) && Number(text) >= runsRange.from && Number(text) <= runsRange.to,
        "Enter a whole number from 60 to 100000",
      ),
    ),
  z.transform(Number),
);

/** A select's text and the number that is sent. */
const Period = z.pipe(
  z.enum(retentionDays.map(String)),
  z.transform((text) => Number(text) as Retention["calls"]),
);

const RetentionFields = z.strictObject({ calls: Period, transcripts: Period, leads: Period, messages: Period });

/** Form values as input, the request as output. */
export const PolicyFields = z
  .strictObject({
    ...Switches.shape,
    textCountries: TextCountries,
    toolRunsPerMinute: ToolRuns,
    ...MinorsFields.shape,
    ...RetentionFields.shape,
  })
  .check(
    z.refine(({ calls, transcripts }) => transcripts <= calls, {
      error: "Must not be longer than the calls themselves are kept",
      path: ["transcripts"],
    }),
  );

export const switches = [
  {
    name: "requireTotp",
    label: "Require two-factor sign-in",
    hint: "Its users have to set up an authenticator before they can continue.",
  },
  {
    name: "ownFhirProviders",
    label: "Own FHIR providers",
    hint: "Its administrators can add and change record systems themselves, instead of requesting them.",
  },
  {
    name: "ownVoiceProviders",
    label: "Own voice providers",
    hint: "Its administrators can connect voice platforms and change their keys themselves, instead of requesting it.",
  },
  {
    name: "messageAnyContact",
    label: "Messages to any contact",
    hint: "Voice agents may also write to numbers and addresses that are not on file for the patient.",
  },
  {
    name: "messageFreeText",
    label: "Messages in free text",
    hint: "Voice agents may also write in their own words, in addition to the clinic's texts.",
  },
] as const satisfies readonly { name: keyof Switches; label: string; hint: string }[];

export const minorsSwitches = [
  {
    name: "guardians",
    label: "Parents and guardians",
    hint: "Parents and guardians in the record system may call for a patient under eighteen.",
  },
  {
    name: "contacts",
    label: "Parents listed as contacts",
    hint: "Parents listed in the chart only as contacts may also call, if the record system lists no related people.",
  },
] as const satisfies readonly { name: keyof MinorsValues; label: string; hint: string }[];

export type PolicyValues = z.input<typeof PolicyFields>;
type RetentionValues = z.input<typeof RetentionFields>;

const labels: Record<keyof PolicyValues, string> = {
  ...(Object.fromEntries(switches.map(({ name, label }) => [name, label])) as Record<keyof Switches, string>),
  textCountries: "Countries that may be texted",
  toolRunsPerMinute: "Tool runs per minute",
  ...(Object.fromEntries(minorsSwitches.map(({ name, label }) => [name, label])) as Record<"guardians" | "contacts", string>),
  confidentialFrom: "Withhold the medical record from parents",
  ...(Object.fromEntries(retentionFields.map(({ name, label }) => [name, label])) as Record<keyof RetentionValues, string>),
};

export const countriesLabel = labels.textCountries;
export const toolRunsLabel = labels.toolRunsPerMinute;
export const confidentialLabel = labels.confidentialFrom;
export type PolicyChange = z.output<typeof PolicyFields>;

/** The changed policies only. */
export const changedPolicies = (before: PolicyValues, after: PolicyChange): NonNullable<TenantChange["policies"]> => {
  const names = differing(before, valuesOf(after));
  const sent = (part: readonly string[]) => Object.fromEntries(names.flatMap((name) => (part.includes(name) ? [[name, after[name]]] : [])));
  const [minors, retention] = [sent(minorsNames), sent(retentionFields.map(({ name }) => name))];
  return {
    ...sent([...Object.keys(Switches.shape), "textCountries", "toolRunsPerMinute"]),
    ...(Object.keys(minors).length > 0 && { minors }),
    ...(Object.keys(retention).length > 0 && { retention }),
  };
};

const differing = (before: PolicyValues, after: PolicyValues) =>
  (Object.keys(labels) as (keyof PolicyValues)[]).filter((name) => before[name] !== after[name]);

const valuesOf = ({
  textCountries,
  toolRunsPerMinute,
  confidentialFrom,
  calls,
  transcripts,
  leads,
  messages,
  ...rest
}: PolicyChange): PolicyValues => ({
  ...rest,
  textCountries: textOf(textCountries),
  toolRunsPerMinute: String(toolRunsPerMinute),
  confidentialFrom: String(confidentialFrom),
  ...periodsOf({ calls, transcripts, leads, messages }),
});

const textOf = (codes: readonly string[] | null): string => codes?.join(", ") ?? "";

const periodsOf = ({ calls, transcripts, leads, messages }: Retention): RetentionValues => ({
  calls: String(calls),
  transcripts: String(transcripts),
  leads: String(leads),
  messages: String(messages),
});

/** Labels of the policies that differ. */
export const differences = (before: WithPolicies, after: WithPolicies): string[] =>
  differing(policiesOf(before), policiesOf(after)).map((name) => labels[name]);

export type WithPolicies = Pick<TenantFormProps["tenant"], "policies">;

export const policiesOf = ({ policies: { toolLevels: _levels, minors, retention, ...own } }: WithPolicies): PolicyValues =>
  valuesOf({ ...own, ...minors, ...retention });
