import { Button } from "@chakra-ui/react/button";
import { Stack } from "@chakra-ui/react/stack";
import { chakra } from "@chakra-ui/react/styled-system";
import Plus from "lucide-react/dist/esm/icons/plus.mjs";
import { type ComponentType, type SVGProps, useEffect, useRef, useState } from "react";
import { useFieldArray, useWatch } from "react-hook-form";
import { SimpleGrid } from "@chakra-ui/react/simple-grid";
import ArrowDown from "lucide-react/dist/esm/icons/arrow-down.mjs";
import ArrowUp from "lucide-react/dist/esm/icons/arrow-up.mjs";
import Trash2 from "lucide-react/dist/esm/icons/trash-2.mjs";
import { Announcement } from "../../../components/feedback/alerts.tsx";
import { errorWithin } from "../../../lib/forms/array-fields.ts";
import { newDestination } from "./office-values.ts";
import type { OfficeFormState, Organization } from "./use-office-form.ts";
import { TextField } from "../../../components/form/fields.tsx";
import { HoursFields } from "./hours-fields.tsx";

const maxDestinations = 20;

export const RoutingFields = ({ office, organization }: { office: OfficeFormState; organization: Organization }) => {
  const { fields, append, remove, move } = useFieldArray({ control: office.form.control, name: "staffRouting" });
  const [said, setSaid] = useState("");
  const addButton = useRef<HTMLButtonElement>(null);

  const moveTo = (from: number, to: number) => {
    move(from, to);
    setSaid(`Moved to place ${to + 1} of ${fields.length}`);
  };
  const takeAway = (at: number) => {
    remove(at);
    setSaid(`Removed place ${at + 1}`);
    addButton.current?.focus();
  };
  return (
    <Stack gap="5">
      <chakra.p textStyle="sm" color="fg.muted">
        A caller who asks for a person is transferred to the first destination that handles the reason for the call and is on duty.
      </chakra.p>
      {fields.length === 0 ? (
        <chakra.p textStyle="sm">No one yet: callers are told that they cannot be transferred, and the agent takes a message.</chakra.p>
      ) : (
        <Stack as="ol" listStyleType="none" gap="4">
          {fields.map(({ id }, at) => (
            <DestinationFields
              key={id}
              office={office}
              at={at}
              count={fields.length}
              onMove={(to) => moveTo(at, to)}
              onRemove={() => takeAway(at)}
            />
          ))}
        </Stack>
      )}
      <Button
        ref={addButton}
        variant="outline"
        alignSelf="flex-start"
        aria-disabled={fields.length >= maxDestinations}
        onClick={() =>
          fields.length < maxDestinations && append(newDestination(office.form.getValues("businessHours"), organization.businessHours))
        }
      >
        <Plus aria-hidden />
        Add destination
      </Button>
      <Announcement text={said} />
    </Stack>
  );
};

type Props = { office: OfficeFormState; at: number; count: number; onMove: (to: number) => void; onRemove: () => void };

const DestinationFields = ({ office, at, count, onMove, onRemove }: Props) => {
  const { field, form } = office;
  const place = `staffRouting.${at}` as const;
  const label = useWatch({ control: form.control, name: `${place}.label` }) || `destination ${at + 1}`;
  const { row, press } = useRestoreFocus(at);
  const step = (act: "up" | "down", to: number) => {
    press(act);
    onMove(to);
  };
  return (
    <chakra.li ref={row} aria-label={label} borderWidth="1px" borderColor="border" borderRadius="l2" p={{ base: "3", sm: "4" }}>
      <chakra.div display="flex" alignItems="center" gap="1" mb="3">
        <chakra.span textStyle="sm" fontWeight="semibold" color="fg.muted" flex="1">
          {at + 1}
        </chakra.span>
        <span data-act="up">
          <Act label={`Move ${label} up`} icon={ArrowUp} isOff={at === 0} onAct={() => step("up", at - 1)} />
        </span>
        <span data-act="down">
          <Act label={`Move ${label} down`} icon={ArrowDown} isOff={at === count - 1} onAct={() => step("down", at + 1)} />
        </span>
        <Act label={`Remove ${label}`} icon={Trash2} onAct={onRemove} />
      </chakra.div>
      <SimpleGrid columns={{ base: 1, sm: 2 }} gap="4">
        <TextField label="Label" placeholder="e.g. Front desk" autoComplete="off" {...field(`${place}.label`)} />
        <TextField label="Phone" type="tel" autoComplete="off" {...field(`${place}.phone`)} />
      </SimpleGrid>
      <chakra.div mt="4" display="flex" flexDirection="column" gap="4">
        <TextField
          label="Reasons"
          isOptional
          hint="Separated by commas, as in “billing, prescription”. Leave blank to take calls for any reason."
          autoComplete="off"
          {...field(`${place}.reasons`)}
          error={errorWithin(form.formState.errors, `${place}.reasons`)}
        />
        <HoursFields
          office={office}
          place={`${place}.hours`}
          label="On duty"
          inheritedLabel="During the office's business hours"
          inherited={[]}
        />
      </chakra.div>
    </chakra.li>
  );
};

/** A moved row keeps the focus: the browser drops it when the row moves in the document. */
const useRestoreFocus = (at: number) => {
  const row = useRef<HTMLLIElement>(null);
  const pressed = useRef<string>(undefined);
  useEffect(() => {
    if (pressed.current !== undefined) row.current?.querySelector<HTMLElement>(`[data-act=${pressed.current}] button`)?.focus();
    pressed.current = undefined;
  }, [at]);
  return { row, press: (act: "up" | "down") => void (pressed.current = act) };
};

type ActProps = { label: string; icon: ComponentType<SVGProps<SVGSVGElement>>; isOff?: boolean; onAct: () => void };

const Act = ({ label, icon: Icon, isOff = false, onAct }: ActProps) => (
  <Button variant="ghost" size="sm" px="0" minW="9" aria-label={label} title={label} aria-disabled={isOff} onClick={() => isOff || onAct()}>
    <Icon width={16} height={16} aria-hidden />
  </Button>
);
