import { DatePicker, useDatePickerContext } from "@chakra-ui/react/date-picker";

/** What the calendar shows, the way to what lies before and after it, and to a longer stretch of time. */
export const CalendarHeader = () => {
  const { start, end } = useDatePickerContext().visibleRangeText;
  const shown = [...new Set([start, end])].filter(Boolean).join(" - ");
  return (
    <DatePicker.ViewControl>
      <DatePicker.PrevTrigger />
      <DatePicker.ViewTrigger aria-label={`${shown}, choose another`}>{shown}</DatePicker.ViewTrigger>
      <DatePicker.NextTrigger />
    </DatePicker.ViewControl>
  );
};
