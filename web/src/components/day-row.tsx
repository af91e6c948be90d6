import { Input } from "@chakra-ui/react/input";
import { NativeSelect } from "@chakra-ui/react/native-select";
import { chakra } from "@chakra-ui/react/styled-system";
import { useId } from "react";
import { type FieldValues, get, type Path, type UseFormReturn, useWatch } from "react-hook-form";

type Props<V extends FieldValues, Sent> = {
  form: UseFormReturn<V, unknown, Sent>;
  /** Where the form holds the day, as "businessHours.days.monday". */ place: string;
};

const nameOf = (place: string): string => {
  const day = place.slice(place.lastIndexOf(".") + 1);
  return day.charAt(0).toUpperCase() + day.slice(1);
};

const Time = <V extends FieldValues, Sent>({ form, place, label }: Props<V, Sent> & { label: string }) => {
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

const Range = <V extends FieldValues, Sent>({ form, place }: Props<V, Sent>) => {
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

/** One day of a week: as all days, with hours of its own, or closed. */
export const DayRow = <V extends FieldValues, Sent>({ form, place }: Props<V, Sent>) => {
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
