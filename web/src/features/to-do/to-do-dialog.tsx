import { Button } from "@chakra-ui/react/button";
import { Link } from "@chakra-ui/react/link";
import { Stack } from "@chakra-ui/react/stack";
import { Text } from "@chakra-ui/react/text";
import { tenantHealth, type ToDo, type ToDoChange, type ToDoDetail, toDo } from "@vitaline/contract";
import { useEffect, useMemo, useRef, useState } from "react";
import { CopyButton } from "../../components/data/copy-button.tsx";
import { DateTime } from "../../components/data/text.tsx";
import { Dialog } from "../../components/dialog/dialog.tsx";
import { Loadable, RowSkeletons } from "../../components/feedback/loadable.tsx";
import { Announcement } from "../../components/feedback/alerts.tsx";
import { EditConflict } from "../../components/form/edit-conflict.tsx";
import { ChoiceField, TextAreaField, TextField } from "../../components/form/fields.tsx";
import { FormFrame, SubmitButton } from "../../components/form/form-frame.tsx";
import { TextLink } from "../../components/layout/links.tsx";
import { DetailList } from "../../components/table/detail-list.tsx";
import { isStale } from "../../lib/api/api-error.ts";
import { call } from "../../lib/api/call.ts";
import { IsolatedCache } from "../../lib/api/isolated-cache.tsx";
import { useApi } from "../../lib/api/use-api.ts";
import { useRefresh } from "../../lib/api/use-refresh.ts";
import { useEditForm } from "../../lib/forms/use-edit-form.ts";
import { showAtFields } from "../../lib/forms/use-request-form.ts";
import { formatPhone, phoneLink } from "../../lib/format/phone.ts";
import { formatTimeZone, useZone } from "../../lib/format/times.ts";
import { useAuth } from "../../lib/session/auth.tsx";
import { may } from "../../lib/session/may.ts";
import { announce } from "../../lib/toast.ts";
import { askAdministrator, noticeWords } from "../system-health/notice-words.ts";
import { findingNames, titleOf } from "./to-do-format.ts";
import { callPath, placeOf } from "./to-do-path.ts";
import { labels, maxNote, type ToDoValues, ToDoForm, toDoValues } from "./to-do-values.ts";
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
  const zone = useZone();
  return (
    <Dialog title={data ? titleOf(data) : "To do"} isDirty={isDirty} onClose={onClose}>
      <Loadable loaded={loaded} what="the item" skeleton={<RowSkeletons />}>
        {(item) => (
          <Stack gap="6">
            <Facts item={item} offices={offices} />
            <Plan key={zone} item={item} zone={zone} mark={mark} onChanged={onChanged} onOutdated={onOutdated} onDirty={setIsDirty} />
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
  const { user } = useAuth();
  const place = placeOf(item);
  const trouble = doneAt === null ? troubles.find((kind) => kind === item.topic) : undefined;
  return (
    <DetailList
      details={[
        ...patientFacts(item),
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
        ["Now", trouble && <Trouble key="trouble" kind={trouble} />],
        [
          place?.what ?? "",
          place &&
            (may(user, place.needs) ? (
              <TextLink key="place" to={place.to}>
                {place.name}
              </TextLink>
            ) : (
              askAdministrator
            )),
        ],
      ]}
    />
  );
};

const troubles = ["no_record_system", "tools_fail"] as const;

const Trouble = ({ kind }: { kind: (typeof troubles)[number] }) => {
  const { data, error } = useApi(tenantHealth.tenantNotices, {});
  if (!data) return error ? "It could not be checked." : "Checking...";
  const notice = data.find((one) => one.kind === kind);
  return notice ? noticeWords(notice).text : "It has ended.";
};

/** Some calls leave an item before a name is read: an emergency's words are answered at once. */
function nameOf({ kind, about }: ToDoDetail): string | undefined {
  if (about?.name) return about.name;
  if (about?.patientId) return "Not stored with this item. Search your record system by the patient ID.";
  return kind === "emergency" ? "Not known, as the caller was not verified." : undefined;
}

const patientFacts = (item: ToDoDetail): [string, React.ReactNode][] => {
  const { about } = item;
  if (about === null) return [];
  return [
    ["Name", nameOf(item)],
    ["Date of birth", about.dateOfBirth],
    [
      "Phone",
      about.phone && (
        <Link key="phone" href={phoneLink(about.phone)}>
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
    ["Medication", about.medication],
    ["Details", about.said],
  ];
};

/** Copied, not linked: a patient's ID in an address would stay in the browser's history. */
const RecordId = ({ id, what }: { id: string; what: string }) => (
  <Stack direction="row" align="center" gap="3" wrap="wrap">
    <span>{id}</span>
    <CopyButton what={what} text={id} />
  </Stack>
);

type FormProps = {
  item: ToDoDetail;
  zone: string;
  mark: Mark;
  onChanged: (item: ToDo) => void;
  onOutdated: () => void;
  onDirty: (isDirty: boolean) => void;
};

/** Marking an item as done or open also saves what was typed. */
const Plan = ({ item, zone, mark, onChanged, onOutdated, onDirty }: FormProps) => {
  const refresh = useRefresh();
  const [said, setSaid] = useState("");
  /** While it is marked as done or open. */
  const asked = useRef<boolean>(undefined);
  const isDone = item.doneAt !== null;
  const change = async ({ id, version }: ToDo, body: ToDoChange): Promise<ToDo> => {
    const changed = await call(toDo.changeToDo, { params: { toDoId: id }, body }, { ifMatch: version });
    onChanged(changed);
    return changed;
  };
  const { valuesOf, changesTo, differences } = useMemo(() => toDoValues(zone), [zone]);
  const { field, form, failure, isBusy, submit, conflict } = useEditForm<ToDoDetail, ToDoValues>({
    current: item,
    valuesOf,
    schema: ToDoForm,
    differences,
    save: async (typed, begun) => {
      const body = changesTo(begun, typed);
      const done = asked.current;
      const changed = done === undefined ? await change(item, body) : await mark(item, done, body);
      if (done === undefined) announce({ type: "success", title: "Saved" });
      else setSaid(changed.doneAt === null ? "Reopened" : "Done");
      await refresh(toDo.readToDo);
      return { ...item, owner: changed.owner, dueAt: changed.dueAt, note: typed.note.trim() || null };
    },
    reread: async () => {
      onOutdated();
      await refresh(toDo.readToDo);
    },
    refuse: (error, shown) => (isStale(error) ? conflictText : showAtFields<ToDoValues>(["ownerId", "dueAt", "note"])(error, shown)),
  });
  const markAs = async (done: boolean): Promise<void> => {
    if (isBusy) return;
    asked.current = done;
    await submit();
    asked.current = undefined;
  };
  const { isDirty } = form.formState;
  useEffect(() => onDirty(isDirty), [isDirty, onDirty]);
  const options = [{ value: "", label: "No one yet" }, ...colleaguesOf(item).map(({ id, name }) => ({ value: id, label: name }))];
  return (
    <FormFrame onSubmit={submit} failure={failure}>
      <EditConflict what="item" conflict={conflict} />
      <Button
        type="button"
        alignSelf="flex-start"
        variant={isDone ? "outline" : "solid"}
        aria-disabled={isBusy}
        onClick={() => void markAs(!isDone)}
      >
        {isBusy ? "Saving..." : isDone ? "Reopen" : "Mark as done"}
      </Button>
      <Announcement text={said} />
      <ChoiceField label={labels.ownerId} options={options} {...field("ownerId")} />
      <TextField label={labels.dueAt} type="datetime-local" hint={formatTimeZone(zone)} maxW="64" {...field("dueAt")} />
      <TextAreaField
        label={labels.note}
        isOptional
        rows={3}
        maxLength={maxNote}
        hint="For your colleagues. It is stored encrypted because it may name a patient."
        {...field("note")}
      />
      <SubmitButton isBusy={isBusy} busyText="Saving...">
        Save changes
      </SubmitButton>
    </FormFrame>
  );
};

/** A former colleague stays the owner until someone else is. */
const colleaguesOf = ({ owner, colleagues }: ToDoDetail): ToDoDetail["colleagues"] =>
  owner === null || colleagues.some(({ id }) => id === owner.id) ? colleagues : [...colleagues, owner];

export default ToDoDialog;
