import { chakra } from "@chakra-ui/react/styled-system";
import { Tabs } from "@chakra-ui/react/tabs";
import type { OfficeDetail } from "@vitaline/contract";
import { type ReactNode, useEffect, useState } from "react";
import { type TellDraft, useDraft } from "../../lib/forms/drafts.ts";
import { useOpenTab } from "../../components/layout/tabs.tsx";
import { DialogFooter } from "../../components/dialog/dialog-footer.tsx";
import { FormFrame, SubmitButton } from "../../components/form/form-frame.tsx";
import { OfficeTabs } from "./office-tabs.tsx";
import { Overtaken } from "./overtaken.tsx";
import { RecordFields } from "./record-fields.tsx";
import { type OfficeFormState, type OfficeStore, useOfficeForm } from "./use-office-form.ts";
import { formParts } from "./use-office-place.ts";
import type { Organization } from "./use-organization.ts";
import { useWayToMistakes } from "./use-way-to-mistakes.ts";

/** A part beside the form, which saves by itself. */
export type OwnPart = { value: string; label: string; content: (office: OfficeFormState) => ReactNode };

type Props = {
  office: OfficeDetail | undefined;
  organization: Organization;
  store: OfficeStore;
  part: string;
  onShow: (part: string) => void;
  onDraft: TellDraft;
  ownParts: readonly OwnPart[];
};

/** The dialog's content: an office's record in four parts that are saved together, and parts beside it. */
export const OfficeEditor = ({ office: begun, organization, store, part, onShow, onDraft, ownParts }: Props) => {
  const office = useOfficeForm({ office: begun, organization, store });
  const { isDirty } = office.form.formState;
  const { frame, wrong } = useWayToMistakes(office, part, onShow);
  const isOfForm = formParts.some((one) => one === part);
  useDraft(isDirty, "record", onDraft);
  const { setFocus } = office;
  const [first] = useState(part);
  const tabs = useOpenTab(part);
  useEffect(() => {
    const focus = () =>
      first === "details" ? setFocus("name") : tabs.current?.querySelector<HTMLElement>("[aria-selected=true]")?.focus();
    // Later than the dialog around it, which puts the focus at its first button.
    queueMicrotask(focus);
  }, [first, setFocus, tabs]);

  return (
    <Tabs.Root value={part} onValueChange={({ value }) => onShow(value)} lazyMount>
      <OfficeTabs list={tabs} ownParts={ownParts} wrong={wrong} />
      <chakra.div ref={frame} hidden={!isOfForm}>
        <FormFrame onSubmit={office.submit} failure={office.failure}>
          <RecordFields office={office} organization={organization} />
          <Overtaken office={office} />
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
