import { chakra } from "@chakra-ui/react/styled-system";
import { Tabs } from "@chakra-ui/react/tabs";
import { VisuallyHidden } from "@chakra-ui/react/visually-hidden";
import type { OfficeDetail } from "@vitaline/contract";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { FormFrame } from "../../components/form-frame.tsx";
import { SubmitButton } from "../../components/submit-button.tsx";
import { Overtaken } from "./overtaken.tsx";
import { RecordFields } from "./record-fields.tsx";
import { type OfficeFormState, type OfficeStore, useOfficeForm } from "./use-office-form.ts";
import { formParts } from "./use-office-place.ts";
import type { Organization } from "./use-organization.ts";
import { useWayToMistakes } from "./use-way-to-mistakes.ts";

/** A part beside the form, which saves by itself. `versionNow` and `tellVersion` are for those that change the office's record. */
export type OwnPart = { value: string; label: string; content: (office: OfficeFormState) => ReactNode };

type Props = {
  office: OfficeDetail | undefined;
  organization: Organization;
  store: OfficeStore;
  part: string;
  onShow: (part: string) => void;
  onDirty: (isDirty: boolean) => void;
  ownParts: readonly OwnPart[];
};

const partNames = { details: "Details", hours: "Hours", routing: "Staff routing", messages: "Messages" };
const partsOfForm = formParts.map((value) => ({ value, label: partNames[value] }));

/** The dialog's content: an office's record in four parts that are saved together, and parts beside it. */
export const OfficeEditor = ({ office: begun, organization, store, part, onShow, onDirty, ownParts }: Props) => {
  const office = useOfficeForm({ office: begun, organization, store });
  const { isDirty } = office.form.formState;
  const { frame, wrong } = useWayToMistakes(office, part, onShow);
  const isOfForm = formParts.some((one) => one === part);
  useEffect(() => onDirty(isDirty), [isDirty, onDirty]);
  const { setFocus } = office;
  const [first] = useState(part);
  const tabs = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const focus = () =>
      first === "details" ? setFocus("name") : tabs.current?.querySelector<HTMLElement>("[aria-selected=true]")?.focus();
    // Later than the dialog around it, which puts the focus at its first button.
    queueMicrotask(focus);
  }, [first, setFocus]);

  return (
    <Tabs.Root value={part} onValueChange={({ value }) => onShow(value)} lazyMount>
      <Tabs.List ref={tabs} aria-label="Parts of the office" mt="-3">
        {[...partsOfForm, ...ownParts].map(({ value, label }) => (
          <Tabs.Trigger key={value} value={value} flexShrink="0" color={wrong.has(value) ? "fg.error" : undefined}>
            {label}
            {wrong.has(value) ? <VisuallyHidden>, to be corrected</VisuallyHidden> : null}
          </Tabs.Trigger>
        ))}
      </Tabs.List>
      <chakra.div ref={frame} hidden={!isOfForm} css={{ "& :is(input, select, textarea, button)": { scrollMarginBottom: "24" } }}>
        <FormFrame onSubmit={office.submit} failure={office.failure}>
          <RecordFields office={office} organization={organization} />
          <Overtaken office={office} />
          <chakra.div
            position="sticky"
            bottom="0"
            bg="bg.panel"
            borderTopWidth="1px"
            borderColor="border"
            mx={{ base: "-4", sm: "-6" }}
            px={{ base: "4", sm: "6" }}
            mb="-5"
            py="4"
          >
            <SubmitButton isBusy={office.isBusy} busyText="Saving...">
              {begun === undefined ? "Add office" : "Save office"}
            </SubmitButton>
          </chakra.div>
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
