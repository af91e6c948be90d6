import { Button } from "@chakra-ui/react/button";
import { Stack } from "@chakra-ui/react/stack";
import { accessReports, type ReportablePerson, users } from "@vitaline/contract";
import { useState } from "react";
import type { UseFormRegisterReturn } from "react-hook-form";
import { ChoiceField, TextField } from "../../../components/form/fields.tsx";
import { useAll } from "../../../lib/api/use-all.ts";
import { nameOf } from "../../users/user-status.tsx";

type FieldProps = UseFormRegisterReturn & { error: string | undefined };
type Props = {
  isTenant: boolean;
  /** The form began with a person, by their ID. */
  isGiven: boolean;
  field: FieldProps;
  onEmpty: () => void;
};

/** A person by name, or by their ID. */
export const PersonField = (props: Props) => {
  const [isTyped, setIsTyped] = useState(props.isGiven);
  const change = (toTyped: boolean) => {
    props.onEmpty();
    setIsTyped(toTyped);
  };
  if (!isTyped)
    return props.isTenant ? <Colleague {...props} onOther={() => change(true)} /> : <AnyUser {...props} onOther={() => change(true)} />;
  return (
    <Stack gap="2" align="flex-start">
      <IdField {...props.field} />
      <Button size="sm" variant="ghost" onClick={() => change(false)}>
        Choose by name
      </Button>
    </Stack>
  );
};

const IdField = (field: FieldProps) => (
  <TextField
    label="User ID"
    hint="In the audit log, open an event of this person and choose Report on this person."
    autoComplete="off"
    spellCheck={false}
    {...field}
  />
);

type ListProps = Props & { onOther: () => void };

const Colleague = (props: ListProps) => {
  const { data, error } = useAll(accessReports.listReportablePeople, {});
  return <Person {...props} people={data} error={error} />;
};

const AnyUser = (props: ListProps) => {
  const { data, error } = useAll(users.listUsers, {});
  const people = data?.map((user) => ({ ...user, name: nameOf(user) }));
  return <Person {...props} people={people} error={error} />;
};

const other = "other";

const labelOf = ({ name, email, isActive }: ReportablePerson): string =>
  `${name === email ? email : `${name}, ${email}`}${isActive ? "" : " (deactivated)"}`;

type PersonProps = ListProps & { people: readonly ReportablePerson[] | undefined; error: unknown };

const Person = ({ people, error, field, onOther }: PersonProps) => (
  <ChoiceField
    label="Person"
    options={[
      { value: "", label: people ? "Choose a person" : error === undefined ? "Loading people..." : "People could not be loaded" },
      ...(people ?? [])
        .map((person) => ({ value: person.id, label: labelOf(person) }))
        .toSorted((a, b) => a.label.localeCompare(b.label, "en-US")),
      { value: other, label: "Someone else, by user ID" },
    ]}
    {...field}
    onChange={(event) => (event.target.value === other ? onOther() : void field.onChange(event))}
  />
);
