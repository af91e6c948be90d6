import * as z from "zod/mini";
import { toolCatalog, type ToolName } from "../tool-catalog.ts";
import { Retention } from "./retention.ts";

type RaisedTool = { [Name in ToolName]: (typeof toolCatalog)[Name] extends { ownLevel: number } ? Name : never }[ToolName];
const ownLevels = Object.entries(toolCatalog).flatMap(([name, tool]) => ("ownLevel" in tool ? [[name, tool.ownLevel] as const] : []));
/** Tools whose identity level a tenant may raise. */
export const ownToolLevels = Object.fromEntries(ownLevels) as Record<RaisedTool, 0 | 1 | 2>;
const raisedTools = Object.keys(ownToolLevels) as RaisedTool[];
const ToolLevels = z.partialRecord(z.enum(raisedTools), z.literal([1, 2]));
const RaisedToolLevels = ToolLevels.check(
  z.describe(
    `Can only be raised. The tools themselves ask for: ${raisedTools.map((tool) => `${tool} ${ownToolLevels[tool]}`).join(", ")}.`,
  ),
  ({ value, issues }) => {
    for (const tool of raisedTools)
      if ((value[tool] ?? 2) < ownToolLevels[tool])
        issues.push({
          code: "custom",
          path: [tool],
          input: value[tool],
          message: `Can only be raised: the tool itself asks for level ${ownToolLevels[tool]}`,
        });
  },
);

/**
 * Who may speak for a patient under eighteen. From `confidentialFrom` years on, they hear nothing of the medical record: federal law leaves
 * a minor's own care to state law and to confidentiality that a parent agreed to (45 CFR 164.502(g)(3)), substance use treatment needs the
 * minor's own consent where state law lets minors consent (42 CFR 2.14), and the American Academy of Pediatrics advises confidential care
 * from early adolescence on. State law differs, so a tenant sets the age; 18: nothing is withheld.
 */
export const MinorsPolicy = z.strictObject({
  /** Parents and guardians in the record system (RelatedPerson) may speak for the patient. */
  guardians: z.boolean(),
  /** Also those whom the chart names as a contact (Patient.contact), where the record system has no RelatedPerson. */
  contacts: z.boolean(),
  confidentialFrom: z
    .number()
    .check(z.int("Must be a whole number of years"), z.gte(0, "Must be from 0 to 18 years"), z.lte(18, "Must be from 0 to 18 years")),
});
export type MinorsPolicy = z.infer<typeof MinorsPolicy>;

export const defaultMinorsPolicy: MinorsPolicy = { guardians: true, contacts: false, confidentialFrom: 12 };

/** Of a tenant that has no limit of its own: fifty a second, where usual calls of a large practice use a few. */
export const defaultToolRunsPerMinute = 3000;

/** Rules for a tenant's users and agents. */
export const Policies = z.strictObject({
  requireTotp: z.boolean(),
  ownFhirProviders: z.boolean(),
  ownVoiceProviders: z.boolean(),
  /** Voice agents may message contacts that are not on file. */
  messageAnyContact: z.boolean(),
  /** Voice agents may write messages in their own words. */
  messageFreeText: z.boolean(),
  /** Two-letter codes of countries that voice agents may text; null: only the clinic's own. */
  textCountries: z.nullable(
    z.array(z.string().check(z.regex(/^[A-Z]{2}$/, "Must be a country's two letters, such as US"))).check(z.maxLength(250)),
  ),
  /** Required identity levels of tools, where stricter than the tools' own. */
  toolLevels: ToolLevels,
  /** Tool runs of all the tenant's calls together; those above it are asked to wait a moment. */
  toolRunsPerMinute: z
    .number()
    .check(
      z.int("Must be a whole number"),
      z.gte(60, "Must be from 60 to 100,000 a minute"),
      z.lte(100_000, "Must be from 60 to 100,000 a minute"),
    ),
  minors: MinorsPolicy,
  retention: Retention,
});
export type Policies = z.infer<typeof Policies>;

/** Absent keeps a policy; tool levels can only be raised. */
export const PoliciesChange = z.partial(
  z.extend(Policies, { toolLevels: RaisedToolLevels, minors: z.partial(MinorsPolicy), retention: z.partial(Retention) }),
);
