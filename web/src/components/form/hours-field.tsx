import { SimpleGrid } from "@chakra-ui/react/simple-grid";
import { chakra } from "@chakra-ui/react/styled-system";
import { weekdays } from "@vitaline/contract";
import { type FieldValues, get, type Path, type UseFormReturn, useWatch } from "react-hook-form";
import { Input } from "@chakra-ui/react/input";
import { NativeSelect } from "@chakra-ui/react/native-select";
import { useId } from "react";
import type { useRequestForm } from "../../lib/forms/use-request-form.ts";
import { timeZoneOptions } from "../../lib/format/times.ts";
import { ChoiceField, TextField } from "./fields.tsx";

type DayRowProps<V extends FieldValues, Sent> = {
  form: UseFormReturn<V, unknown, Sent>;
  /** The form's path of the day, such as "businessHours.days.monday". */
  place: string;
};

const nameOf = (place: string): string => {
  const day = place.slice(place.lastIndexOf(".") + 1);
  return day.charAt(0).toUpperCase() + day.slice(1);
};

const Time = <V extends FieldValues, Sent>({ form, place, label }: DayRowProps<V, Sent> & { label: string }) => {
  const errorId = useId();
  const error = get(form.formState.errors, `${place}.message`) as string | undefined;
  return (
    <div>
      <Input
        type="time"
        aria-label={label}
        aria-invalid={error !== undefined}
        aria-describedby={error === undefined ? undefined : errorId}
        {...form.register(place as Path<V>)}
      />
      {error === undefined ? null : (
        <chakra.p id={errorId} aria-live="polite" color="fg.error" textStyle="sm" fontWeight="medium" mt="1">
          {error}
        </chakra.p>
      )}
    </div>
  );
};

const Range = <V extends FieldValues, Sent>({ form, place }: DayRowProps<V, Sent>) => {
  const day = nameOf(place);
  return (
    <chakra.div
      gridColumn={{ base: "1 / -1", sm: "auto" }}
      display="grid"
      gridTemplateColumns="minmax(0, 1fr) auto minmax(0, 1fr)"
      columnGap="2"
    >
      <Time form={form} place={`${place}.start`} label={`${day} opens`} />
      <chakra.span aria-hidden display="flex" alignItems="center" h="11">
        –
      </chakra.span>
      <Time form={form} place={`${place}.end`} label={`${day} closes`} />
    </chakra.div>
  );
};

const DayRow = <V extends FieldValues, Sent>({ form, place }: DayRowProps<V, Sent>) => {
  const rule = String(useWatch({ control: form.control, name: `${place}.rule` as Path<V> }));
  const day = nameOf(place);
  return (
    <chakra.div
      display="grid"
      gridTemplateColumns={{ base: "6.5rem 1fr", sm: "6.5rem 10rem minmax(0, 1fr)" }}
      alignItems="start"
      columnGap="4"
      rowGap="2"
      minH="11"
    >
      <chakra.span textStyle="sm" color="fg.muted" display="flex" alignItems="center" h="11">
        {day}
      </chakra.span>
      <NativeSelect.Root>
        <NativeSelect.Field aria-label={day} {...form.register(`${place}.rule` as Path<V>)}>
          <option value="same">As above</option>
          <option value="own">Other hours</option>
          <option value="closed">Closed</option>
        </NativeSelect.Field>
        <NativeSelect.Indicator />
      </NativeSelect.Root>
      {rule === "own" ? <Range form={form} place={place} /> : null}
    </chakra.div>
  );
};

type Props<V extends FieldValues, Sent> = Pick<ReturnType<typeof useRequestForm<V, Sent>>, "form" | "field"> & {
  /** The form's path of the HoursValues, such as "businessHours". */
  place: string;
};

export const HoursField = <V extends FieldValues, Sent>({ form, field, place }: Props<V, Sent>) => {
  const at = (name: string) => `${place}.${name}` as Path<V>;
  const timezone = String(useWatch({ control: form.control, name: at("timezone") }));
  return (
    <>
      <SimpleGrid columns={{ base: 2, sm: 4 }} gap="4">
        <TextField label="Opens" type="time" {...field(at("start"))} />
        <TextField label="Closes" type="time" {...field(at("end"))} />
        <chakra.div gridColumn="span 2">
          <ChoiceField label="Time zone" options={timeZoneOptions(timezone)} {...field(at("timezone"))} />
        </chakra.div>
      </SimpleGrid>
      <chakra.fieldset display="flex" flexDirection="column" gap="2" minW="0">
        <chakra.legend textStyle="sm" fontWeight="semibold" mb="2">
          Single days
        </chakra.legend>
        {weekdays.map((day) => (
          <DayRow key={day} form={form} place={`${place}.days.${day}`} />
        ))}
      </chakra.fieldset>
    </>
  );
};
