import { Stack } from "@chakra-ui/react/stack";
import { Heading } from "@chakra-ui/react/heading";
import { Language, type OfficeFactsChange, OfficeFactsChange as Facts, tenants } from "@vitaline/contract";
import * as z from "zod/mini";
import { call } from "../../../lib/api/call.ts";
import { factsOf, factsValues, type FactsValues } from "../../../lib/forms/facts-values.ts";
import { useReportDraft } from "../../../lib/forms/drafts.ts";
import { changedFields, useEditForm } from "../../../lib/forms/use-edit-form.ts";
import { languageOptions } from "../../../lib/format/labels.ts";
import { announce } from "../../../lib/toast.ts";
import { DialogFooter } from "../../../components/dialog/dialog-footer.tsx";
import { EditConflict } from "../../../components/form/edit-conflict.tsx";
import { FactsFields } from "../../../components/form/facts/facts-fields.tsx";
import { ChoiceField } from "../../../components/form/fields.tsx";
import { FormFrame, SubmitButton } from "../../../components/form/form-frame.tsx";
import { requiredFields } from "../details/details-values.ts";
import type { TenantFormProps } from "../use-tenant.ts";

type Values = { language: Language; facts: FactsValues };
type Sent = { language: Language; facts: OfficeFactsChange };
export type WithFacts = Pick<TenantFormProps["tenant"], "language" | "facts">;

const Request = z.object({ language: Language, facts: Facts });

/** Form values as input, the request as output. */
const FactsForm: z.ZodMiniType<Sent, Values> = z.pipe(
  z.pipe(
    z.custom<Values>(),
    z.transform(({ language, facts }: Values): z.input<typeof Request> => ({ language, facts: factsOf(facts) })),
  ),
  Request,
);

const languageOf = ({ language }: WithFacts): Language => language ?? "en";
const valuesOf = (tenant: WithFacts): Values => ({ language: languageOf(tenant), facts: factsValues(tenant.facts) });
const differences = (before: WithFacts, after: WithFacts): string[] => [
  ...(languageOf(before) === languageOf(after) ? [] : ["usual language"]),
  ...(JSON.stringify(before.facts) === JSON.stringify(after.facts) ? [] : ["facts for callers"]),
];

/** The changed fields only: a field that someone else changes meanwhile stays as they saved it. */
function changesTo(begun: WithFacts, { language, facts }: Sent): Partial<Sent> {
  const before = z.parse(FactsForm, valuesOf(begun)).facts;
  const changed = changedFields(Object.keys(facts) as (keyof OfficeFactsChange)[], before, facts);
  return {
    ...(language === languageOf(begun) ? {} : { language }),
    facts: Object.fromEntries(changed.map((name) => [name, facts[name]])),
  };
}

type FactsOptions = {
  current: WithFacts;
  /** Saves the changed fields and returns the saved record. */
  send: (changes: Partial<Sent>) => Promise<WithFacts>;
  /** Reads the record after a conflict. */
  reread: () => Promise<unknown>;
};

/** A form of the facts of all offices, except for what an office sets for itself. */
export const useFactsForm = ({ current, send, reread }: FactsOptions) =>
  useEditForm<WithFacts, Values, Sent>({
    current,
    valuesOf,
    schema: FactsForm,
    differences,
    save: async (typed, begun) => {
      const saved = await send(changesTo(begun, typed));
      announce({ type: "success", title: "Facts saved" });
      return saved;
    },
    reread,
  });

export const UsualFactsFields = ({ edit: { field, form } }: { edit: ReturnType<typeof useFactsForm> }) => (
  <>
    <ChoiceField
      label="Usual language"
      hint="For callers and patients whose language is not known. An office may have its own."
      options={languageOptions}
      {...field("language")}
    />
    <FactsFields form={form} field={field} place="facts" />
  </>
);

export const FactsPanel = ({ tenant, onSaved, onStale, onDraft }: TenantFormProps) => {
  const edit = useFactsForm({
    current: tenant,
    send: async (changes) => {
      const body = { ...requiredFields(tenant), ...changes };
      const saved = await call(tenants.updateTenant, { params: { tenantId: tenant.id }, body }, { ifMatch: tenant.version });
      onSaved(saved);
      return saved;
    },
    reread: onStale,
  });
  useReportDraft(edit.form.formState.isDirty, "facts", onDraft);
  return (
    <Stack as="section" gap="4" mt="10" aria-labelledby="facts">
      <Heading as="h3" size="md" id="facts">
        Facts for callers
      </Heading>
      <FormFrame onSubmit={edit.submit} failure={edit.failure}>
        <EditConflict what="tenant" conflict={edit.conflict} />
        <UsualFactsFields edit={edit} />
        <DialogFooter>
          <SubmitButton isBusy={edit.isBusy} busyText="Saving...">
            Save Facts
          </SubmitButton>
        </DialogFooter>
      </FormFrame>
    </Stack>
  );
};
