import { Button } from "@chakra-ui/react/button";
import { Stack } from "@chakra-ui/react/stack";
import { team, type User, users } from "@vitaline/contract";
import { useState } from "react";
import type { UseFormRegisterReturn } from "react-hook-form";
import { ChoiceField, TextField } from "../../../components/form/fields.tsx";
import { useAll } from "../../../lib/api/use-all.ts";
import { useMay } from "../../../lib/session/may.ts";

type FieldProps = UseFormRegisterReturn & { error: string | undefined };
type Props = {
  isTenant: boolean;
  /** The form began with a person, by their ID. */
  isGiven: boolean;
  field: FieldProps;
  onEmpty: () => void;
};

/** A person by name where the user may list them, else by their ID. */
export const PersonField = (props: Props) => {
  const mayList = useMay("GET /api/tenant/team");
  const [isTyped, setIsTyped] = useState(props.isGiven);
  const change = (toTyped: boolean) => {
    props.onEmpty();
    setIsTyped(toTyped);
  };
  if (props.isTenant && !mayList) return <IdField {...props.field} />;
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

const Colleague = (props: ListProps) => <Person {...props} people={useAll(team.listTeam, {}).data} />;
const AnyUser = (props: ListProps) => <Person {...props} people={useAll(users.listUsers, {}).data} />;

const other = "other";

const Person = ({ people, field, onOther }: ListProps & { people: readonly User[] | undefined }) => (
  <ChoiceField
    label="Person"
    options={[
      { value: "", label: people === undefined ? "Loading people..." : "Choose a person" },
      ...(people ?? []).map(({ id, firstName, lastName, email }) => ({
        value: id,
        label: [`${firstName} ${lastName}`.trim(), email].filter(Boolean).join(", "),
      })),
      { value: other, label: "Someone else, by user ID" },
    ]}
    {...field}
    onChange={(event) => (event.target.value === other ? onOther() : void field.onChange(event))}
  />
);
