import { DatePicker } from "@chakra-ui/react/date-picker";
import { CalendarHeader } from "./calendar-header.tsx";

/** Days, and behind the header's middle the months and years they belong to. */
export const DateCalendar = ({ name }: { name: string }) => (
  <DatePicker.Content aria-label={name}>
    <DatePicker.View view="day">
      <CalendarHeader />
      <DatePicker.DayTable />
    </DatePicker.View>
    <DatePicker.View view="month">
      <CalendarHeader />
      <DatePicker.MonthTable />
    </DatePicker.View>
    <DatePicker.View view="year">
      <CalendarHeader />
      <DatePicker.YearTable />
    </DatePicker.View>
  </DatePicker.Content>
);
