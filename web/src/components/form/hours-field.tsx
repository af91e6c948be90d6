import { SimpleGrid } from "@chakra-ui/react/simple-grid";
import { Stack } from "@chakra-ui/react/stack";
import { chakra } from "@chakra-ui/react/styled-system";
import { weekdays } from "@vitaline/contract";
import { type FieldValues, get, type Path, type UseFormReturn, useWatch } from "react-hook-form";
import { NativeSelect } from "@chakra-ui/react/native-select";
import { plainForm } from "../../lib/forms/array-fields.ts";
import type { HoursValues } from "../../lib/forms/hours-values.ts";
import type { useRequestForm } from "../../lib/forms/use-request-form.ts";
import { timeZoneOptions } from "../../lib/format/times.ts";
import { BreakFields } from "./break-fields.tsx";
import { ChoiceField, TextField } from "./fields.tsx";
import { TimeRange } from "./time-range.tsx";

type DayRowProps = {
  form: UseFormReturn;
  /** The form's path of the HoursValues, such as "businessHours". */
  hours: string;
  weekday: (typeof weekdays)[number];
};

const DayRow = ({ form, hours, weekday }: DayRowProps) => {
  const place = `${hours}.days.${weekday}`;
  const rule = String(useWatch({ control: form.control, name: `${place}.rule` }));
  const day = weekday.charAt(0).toUpperCase() + weekday.slice(1);
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
        <NativeSelect.Field
          aria-label={day}
          {...form.register(`${place}.rule`, { onChange: ({ target }) => target.value === "own" && beginAsAbove(form, hours, place) })}
        >
          <option value="same">Same as above</option>
          <option value="own">Different hours</option>
          <option value="closed">Closed</option>
        </NativeSelect.Field>
        <NativeSelect.Indicator />
      </NativeSelect.Root>
      {rule === "own" ? (
        <Stack gap="2" gridColumn={{ base: "1 / -1", sm: "auto" }}>
          <TimeRange form={form} place={place} labels={{ start: `${day} opens`, end: `${day} closes` }} />
          <BreakFields form={form} place={place} day={day} />
        </Stack>
      ) : null}
    </chakra.div>
  );
};

const timesIn = (values: unknown, place: string) => {
  const { start, end, breaks } = get(values, place) as Omit<HoursValues, "days">;
  return { start, end, breaks };
};

/** A day's own hours begin with the hours of all days, breaks too, unless it had or was given some. */
function beginAsAbove(form: UseFormReturn, hours: string, place: string): void {
  const { defaultValues } = form.formState;
  const values = form.getValues();
  const isUntouched = JSON.stringify(timesIn(values, place)) === JSON.stringify(timesIn(defaultValues, place));
  if (get(defaultValues, `${place}.rule`) === "own" || !isUntouched) return;
  for (const [name, value] of Object.entries(timesIn(values, hours))) form.setValue(`${place}.${name}`, structuredClone(value));
}

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
      <chakra.fieldset minW="0" maxW={{ sm: "md" }}>
        <chakra.legend textStyle="sm" fontWeight="semibold" mb="2">
          Breaks
        </chakra.legend>
        <chakra.p textStyle="sm" color="fg.muted" mb="2">
          When the office closes during the day, for example for lunch.
        </chakra.p>
        <BreakFields form={plainForm(form)} place={place} />
      </chakra.fieldset>
      <chakra.fieldset display="flex" flexDirection="column" gap="2" minW="0">
        <chakra.legend textStyle="sm" fontWeight="semibold" mb="2">
          Hours by day
        </chakra.legend>
        {weekdays.map((day) => (
          <DayRow key={day} form={plainForm(form)} hours={place} weekday={day} />
        ))}
      </chakra.fieldset>
    </>
  );
};
