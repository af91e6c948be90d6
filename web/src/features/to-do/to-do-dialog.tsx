import { Button } from "@chakra-ui/react/button";
import { Link } from "@chakra-ui/react/link";
import { Stack } from "@chakra-ui/react/stack";
import { Text } from "@chakra-ui/react/text";
import { type ToDo, type ToDoAbout, type ToDoDetail, toDo } from "@vitaline/contract";
import { useEffect, useState } from "react";
import { CopyButton } from "../../components/data/copy-button.tsx";
import { DateTime } from "../../components/data/text.tsx";
import { Dialog } from "../../components/dialog/dialog.tsx";
import { Loadable, RowSkeletons } from "../../components/feedback/loadable.tsx";
import { Announcement, Failure } from "../../components/feedback/alerts.tsx";
import { EditConflict } from "../../components/form/edit-conflict.tsx";
import { ChoiceField, TextAreaField } from "../../components/form/fields.tsx";
import { FormFrame, SubmitButton } from "../../components/form/form-frame.tsx";
import { TextLink } from "../../components/layout/links.tsx";
import { DetailList } from "../../components/table/detail-list.tsx";
import { explain, isStale } from "../../lib/api/api-error.ts";
import { call } from "../../lib/api/call.ts";
import { IsolatedCache } from "../../lib/api/isolated-cache.tsx";
import { useInlineAction } from "../../lib/api/use-action.ts";
import { useApi } from "../../lib/api/use-api.ts";
import { useRefresh } from "../../lib/api/use-refresh.ts";
import { useEditForm } from "../../lib/forms/use-edit-form.ts";
import { formatPhone } from "../../lib/format/phone.ts";
import { announce } from "../../lib/toast.ts";
import { findingNames, titleOf } from "./to-do-format.ts";
import { callPath, settingsOf } from "./to-do-path.ts";
import { changesTo, differences, labels, maxNote, type ToDoValues, ToDoForm, valuesOf } from "./to-do-values.ts";
import { conflictText, useMark } from "./use-mark.ts";

type Props = {
  id: string;
  offices: ReadonlyMap<string, string>;
  onClose: () => void;
  onChanged: (item: ToDo) => void;
  /** A colleague has changed it. */
  onOutdated: () => void;
};

/** Each opening fetches and audits the item again, and closing drops it from the cache. */
const ToDoDialog = (props: Props) => {
  // Outside the isolated cache: it also drops what other lists have read.
  const mark = useMark(props.onChanged);
  return (
    <IsolatedCache>
      <OpenItem {...props} mark={mark} />
    </IsolatedCache>
  );
};

type Mark = ReturnType<typeof useMark>;

const OpenItem = ({ id, offices, onClose, onChanged, onOutdated, mark }: Props & { mark: Mark }) => {
  const loaded = useApi(toDo.readToDo, { params: { toDoId: id } });
  const [isDirty, setIsDirty] = useState(false);
  const { data } = loaded;
  return (
    <Dialog title={data ? titleOf(data) : "To do"} isDirty={isDirty} onClose={onClose}>
      <Loadable loaded={loaded} what="the item" skeleton={<RowSkeletons />}>
        {(item) => (
          <Stack gap="6">
            <Facts item={item} offices={offices} />
            <MarkPart item={item} mark={mark} onOutdated={onOutdated} />
            <OwnerAndNote item={item} onChanged={onChanged} onOutdated={onOutdated} onDirty={setIsDirty} />
            <Text textStyle="sm" color="fg.muted">
              Opening and changing this is recorded in the audit log.
            </Text>
          </Stack>
        )}
      </Loadable>
    </Dialog>
  );
};

const Facts = ({ item, offices }: { item: ToDoDetail; offices: ReadonlyMap<string, string> }) => {
  const { createdAt, dueAt, doneAt, doneBy, finding, officeId, callId } = item;
  const settings = settingsOf(item);
  return (
    <DetailList
      details={[
        ...(item.about ? patientFacts(item.about) : []),
        ["Office", officeId === null ? "Any" : (offices.get(officeId) ?? "Another office")],
        ["Since", <DateTime key="since" at={createdAt} />],
        ["Due", <DateTime key="due" at={dueAt} />],
        ["Record system", finding === null ? undefined : findingNames[finding]],
        [
          "Done",
          doneAt === null ? undefined : (
            <span key="done">
              <DateTime at={doneAt} />
              {doneBy === null ? "" : ` by ${doneBy.name}`}
            </span>
          ),
        ],
        [
          "Came from",
          callId === null ? undefined : (
            <TextLink key="call" to={callPath(item, callId)}>
              View the call
            </TextLink>
          ),
        ],
        [
          "Where to fix it",
          settings && (
            <TextLink key="settings" to={settings.to}>
              {settings.name}
            </TextLink>
          ),
        ],
      ]}
    />
  );
};

const patientFacts = (about: ToDoAbout): [string, React.ReactNode][] => [
  ["Name", about.name],
  ["Date of birth", about.dateOfBirth],
  [
    "Phone",
    about.phone && (
      <Link key="phone" href={`tel:${about.phone.replaceAll(/[^+\d]/g, "")}`}>
        {formatPhone(about.phone)}
      </Link>
    ),
  ],
  ["Email", about.email],
  ["Patient in the record system", about.patientId && <RecordId key="patient" id={about.patientId} what="patient ID" />],
  [
    "Appointment in the record system",
    about.appointmentId && <RecordId key="appointment" id={about.appointmentId} what="appointment ID" />,
  ],
  ["Starts", about.start && <DateTime key="start" at={about.start} />],
  ["Interpreter", about.interpreter],
  ["Urgent", about.urgent ? "Yes" : undefined],
  ["Details", about.said],
];

/** Copied, not linked: a patient's ID in an address would stay in the browser's history. */
const RecordId = ({ id, what }: { id: string; what: string }) => (
  <Stack direction="row" align="center" gap="3" wrap="wrap">
    <span>{id}</span>
    <CopyButton what={what} text={id} />
  </Stack>
);

type MarkProps = { item: ToDoDetail; mark: Mark; onOutdated: () => void };

const MarkPart = ({ item, mark, onOutdated }: MarkProps) => {
  const refresh = useRefresh();
  const [said, setSaid] = useState("");
  const isDone = item.doneAt !== null;
  const { run, isBusy, failure } = useInlineAction(
    async () => {
      const { doneAt } = await mark(item, !isDone);
      await refresh(toDo.readToDo);
      setSaid(doneAt === null ? "Reopened" : "Done");
    },
    (error) => {
      if (!isStale(error)) return explain(error);
      void refresh(toDo.readToDo);
      onOutdated();
      return conflictText;
    },
  );
  return (
    <Stack gap="4" align="flex-start">
      <Failure text={failure} />
      <Button variant={isDone ? "outline" : "solid"} aria-disabled={isBusy} onClick={() => run()}>
        {isBusy ? "Saving..." : isDone ? "Reopen" : "Mark as done"}
      </Button>
      <Announcement text={said} />
    </Stack>
  );
};

type FormProps = { item: ToDoDetail; onChanged: (item: ToDo) => void; onOutdated: () => void; onDirty: (isDirty: boolean) => void };

const OwnerAndNote = ({ item, onChanged, onOutdated, onDirty }: FormProps) => {
  const refresh = useRefresh();
  const { field, form, failure, isBusy, submit, conflict } = useEditForm<ToDoDetail, ToDoValues>({
    current: item,
    valuesOf,
    schema: ToDoForm,
    differences,
    save: async (typed, begun) => {
      const body = changesTo(begun, typed);
      onChanged(await call(toDo.changeToDo, { params: { toDoId: item.id }, body }, { ifMatch: item.version }));
      announce({ type: "success", title: "Saved" });
      await refresh(toDo.readToDo);
      return { ...item, ...savedOf(item, typed) };
    },
    reread: async () => {
      onOutdated();
      await refresh(toDo.readToDo);
    },
  });
  const { isDirty } = form.formState;
  useEffect(() => onDirty(isDirty), [isDirty, onDirty]);
  const options = [{ value: "", label: "No one yet" }, ...colleaguesOf(item).map(({ id, name }) => ({ value: id, label: name }))];
  return (
    <FormFrame onSubmit={submit} failure={failure}>
      <EditConflict what="item" conflict={conflict} />
      <ChoiceField label={labels.ownerId} options={options} {...field("ownerId")} />
      <TextAreaField
        label={labels.note}
        isOptional
        rows={3}
        maxLength={maxNote}
        hint="For your colleagues. It is stored encrypted because it may name a patient."
        {...field("note")}
      />
      <SubmitButton isBusy={isBusy} busyText="Saving...">
        Save owner and note
      </SubmitButton>
    </FormFrame>
  );
};

/** A former colleague stays the owner until someone else is. */
const colleaguesOf = ({ owner, colleagues }: ToDoDetail): ToDoDetail["colleagues"] =>
  owner === null || colleagues.some(({ id }) => id === owner.id) ? colleagues : [...colleagues, owner];

const savedOf = ({ colleagues }: ToDoDetail, { ownerId, note }: ToDoValues): Pick<ToDoDetail, "owner" | "note"> => ({
  owner: colleagues.find(({ id }) => id === ownerId) ?? null,
  note: note.trim() || null,
});

export default ToDoDialog;
