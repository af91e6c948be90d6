import { chakra } from "@chakra-ui/react/styled-system";
import { Tabs } from "@chakra-ui/react/tabs";
import type { OfficeDetail } from "@vitaline/contract";
import { type ReactNode, type Ref, useEffect, useRef, useState } from "react";
import { VisuallyHidden } from "@chakra-ui/react/visually-hidden";
import { SimpleGrid } from "@chakra-ui/react/simple-grid";
import { Stack } from "@chakra-ui/react/stack";
import { type ReportDraft, useReportDraft } from "../../../lib/forms/drafts.ts";
import { tabStrip, useOpenTab } from "../../../components/layout/tabs.tsx";
import { DialogFooter } from "../../../components/dialog/dialog-footer.tsx";
import { EditConflict } from "../../../components/form/edit-conflict.tsx";
import { FactsFields } from "../../../components/form/facts/facts-fields.tsx";
import { FormFrame, SubmitButton } from "../../../components/form/form-frame.tsx";
import { type OfficeFormState, type OfficeStore, type Organization, useOfficeForm } from "./use-office-form.ts";
import { formParts } from "../office-route.ts";
import { partOf } from "./office-values.ts";
import { HoursFields } from "./hours-fields.tsx";
import { formatTimeZone } from "../../../lib/format/times.ts";
import { formatWeeklyHours } from "../hours-text.ts";
import { MessageFields } from "./message-fields.tsx";
import { RoutingFields } from "./routing-fields.tsx";
import { SwitchField } from "../../../components/form/switch-field.tsx";
import { TextField } from "../../../components/form/fields.tsx";

/** A tab whose content saves by itself. */
export type OfficeTab = { value: string; label: string; content: (office: OfficeFormState) => ReactNode };

type Props = {
  office: OfficeDetail | undefined;
  organization: Organization;
  store: OfficeStore;
  part: string;
  onShow: (part: string) => void;
  onDraft: ReportDraft;
  ownParts: readonly OfficeTab[];
};

export const OfficeEditor = ({ office: begun, organization, store, part, onShow, onDraft, ownParts }: Props) => {
  const office = useOfficeForm({ office: begun, organization, store });
  const { isDirty } = office.form.formState;
  const { frame, wrong } = useFocusFirstError(office, part, onShow);
  const isOfForm = formParts.some((one) => one === part);
  useReportDraft(isDirty, "record", onDraft);
  const { setFocus } = office;
  const [first] = useState(part);
  const tabs = useOpenTab(part, { selects: true });
  useEffect(() => {
    const focus = () =>
      first === "details" ? setFocus("name") : tabs.current?.querySelector<HTMLElement>("[aria-selected=true]")?.focus();
    // Runs after the dialog has focused its first button.
    queueMicrotask(focus);
  }, [first, setFocus, tabs]);

  return (
    <Tabs.Root value={part} onValueChange={({ value }) => onShow(value)} lazyMount>
      <OfficeTabs list={tabs} ownParts={ownParts} wrong={wrong} />
      <chakra.div ref={frame} hidden={!isOfForm}>
        <FormFrame onSubmit={office.submit} failure={office.failure}>
          <RecordFields office={office} organization={organization} />
          <EditConflict what="office" conflict={office.conflict} />
          <DialogFooter>
            <SubmitButton isBusy={office.isBusy} busyText="Saving...">
              {begun === undefined ? "Add office" : "Save office"}
            </SubmitButton>
          </DialogFooter>
        </FormFrame>
      </chakra.div>
      {ownParts.map(({ value, content }) => (
        <Tabs.Content key={value} value={value}>
          {content(office)}
        </Tabs.Content>
      ))}
    </Tabs.Root>
  );
};

/** After a failed submit, opens the first tab with an error and focuses its first invalid field. */
const useFocusFirstError = (office: OfficeFormState, part: string, onShow: (part: string) => void) => {
  const frame = useRef<HTMLDivElement>(null);
  const isOnTheWay = useRef(false);
  const { errors, submitCount } = office.form.formState;
  const wrong = new Set<string>(Object.keys(errors).map(partOf));
  const next = wrong.has(part) ? part : formParts.find((one) => wrong.has(one));

  const seen = useRef(submitCount);
  useEffect(() => {
    if (seen.current === submitCount) return;
    seen.current = submitCount;
    if (next === undefined || next === part) return;
    isOnTheWay.current = true;
    onShow(next);
  }, [submitCount, next, part, onShow]);
  useEffect(() => {
    if (!isOnTheWay.current) return;
    isOnTheWay.current = false;
    // A hidden field cannot take the focus.
    requestAnimationFrame(() => frame.current?.querySelector<HTMLElement>("[role=tabpanel]:not([hidden]) [aria-invalid=true]")?.focus());
  }, [part]);
  return { frame, wrong };
};

type OfficeTabsProps = {
  list: Ref<HTMLDivElement>;
  ownParts: readonly OfficeTab[];
  wrong: ReadonlySet<string>;
};

const partNames = { details: "Details", hours: "Hours", facts: "Facts", routing: "Staff routing", messages: "Messages" };
const partsOfForm = formParts.map((value) => ({ value, label: partNames[value] }));

const OfficeTabs = ({ list, ownParts, wrong }: OfficeTabsProps) => (
  <chakra.div {...tabStrip}>
    <Tabs.List ref={list} aria-label="Parts of the office">
      {[...partsOfForm, ...ownParts].map(({ value, label }) => (
        <Tabs.Trigger key={value} value={value} flexShrink="0" color={wrong.has(value) ? "fg.error" : undefined}>
          {label}
          {wrong.has(value) ? <VisuallyHidden>, to be corrected</VisuallyHidden> : null}
        </Tabs.Trigger>
      ))}
    </Tabs.List>
  </chakra.div>
);

type RecordFieldsProps = { office: OfficeFormState; organization: Organization };

const RecordFields = ({ office, organization }: RecordFieldsProps) => {
  const { businessHours } = organization;
  return (
    <div>
      <Tabs.Content value="details">
        <DetailsFields office={office} />
      </Tabs.Content>
      <Tabs.Content value="hours">
        <HoursFields
          office={office}
          place="businessHours"
          label="Business hours"
          inheritedLabel="Same as the organization"
          inherited={[...formatWeeklyHours(businessHours), formatTimeZone(businessHours.timezone)]}
        />
      </Tabs.Content>
      <Tabs.Content value="facts">
        <FactsFields form={office.form} field={office.field} place="facts" inherited={organization.facts} />
      </Tabs.Content>
      <Tabs.Content value="routing">
        <RoutingFields office={office} organization={organization} />
      </Tabs.Content>
      <Tabs.Content value="messages">
        <MessageFields office={office} organization={organization} />
      </Tabs.Content>
    </div>
  );
};

const DetailsFields = ({ office: { field, form } }: { office: OfficeFormState }) => (
  <Stack gap="5">
    <TextField label="Office name" autoComplete="off" {...field("name")} />
    <TextField label="Address" isOptional autoComplete="off" {...field("address")} />
    <SimpleGrid columns={{ base: 1, sm: 2 }} gap="5">
      <TextField label="Phone" type="tel" isOptional autoComplete="off" {...field("phone")} />
      <TextField label="Email" type="email" isOptional autoComplete="off" {...field("email")} />
    </SimpleGrid>
    <SimpleGrid columns={{ base: 1, sm: 2 }} gap="5">
      <TextField label="Number of staff" inputMode="numeric" isOptional autoComplete="off" {...field("staffCount")} />
    </SimpleGrid>
    <SwitchField
      label="Active"
      hint="Voice agents of an inactive office say that the line is not in service."
      {...form.register("isActive")}
    />
  </Stack>
);
