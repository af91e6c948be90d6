/** US Eastern time. */
export const supportHours = [
  { days: "Monday to Friday", hours: "9-6 EST" },
  { days: "Saturday", hours: "10-4 EST" },
  { days: "Sunday", hours: "Closed" },
] as const;
