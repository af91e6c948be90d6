import { chakra } from "@chakra-ui/react/styled-system";
import { Input } from "@chakra-ui/react/input";
import { useId } from "react";
import { get, type UseFormReturn } from "react-hook-form";

type TimeProps = { form: UseFormReturn; place: string; label: string };

const Time = ({ form, place, label }: TimeProps) => {
  const errorId = useId();
  const error = get(form.formState.errors, `${place}.message`) as string | undefined;
  return (
    <div>
      <Input
        type="time"
        aria-label={label}
        aria-invalid={error !== undefined}
        aria-describedby={error === undefined ? undefined : errorId}
        {...form.register(place)}
      />
      {error === undefined ? null : (
        <chakra.p id={errorId} aria-live="polite" color="fg.error" textStyle="sm" fontWeight="medium" mt="1">
          {error}
        </chakra.p>
      )}
    </div>
  );
};

type Props = {
  form: UseFormReturn;
  /** The form's path of `start` and `end`, such as "businessHours.days.monday". */
  place: string;
  labels: { start: string; end: string };
};

export const TimeRange = ({ form, place, labels }: Props) => (
  <chakra.div display="grid" gridTemplateColumns="minmax(0, 1fr) auto minmax(0, 1fr)" columnGap="2">
    <Time form={form} place={`${place}.start`} label={labels.start} />
    <chakra.span aria-hidden display="flex" alignItems="center" h="11">
      –
    </chakra.span>
    <Time form={form} place={`${place}.end`} label={labels.end} />
  </chakra.div>
);
