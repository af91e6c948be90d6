/** A line of the example call: something said, or a tool that the agent used. */
export type CallLine = { who: "patient" | "agent"; text: string } | { tool: string; outcome: string };

/** What `npm run call -- --scenario book` says; `test/call/run-call.service.test.ts` compares. The greeting and the farewell are left out. */
export const exampleCall: readonly CallLine[] = [
  { who: "patient", text: "Hi, I'd like to make an appointment." },
  { who: "agent", text: "May I have your full name, date of birth and phone number?" },
  { who: "patient", text: "I'm Mateo Ashdown, born March 2, 1984, and my number is 617 555 0142." },
  { tool: "verifyPatientIdentity", outcome: "three details match the record" },
  { who: "agent", text: "Thanks, Mateo." },
  { who: "patient", text: "What openings do you have?" },
  { tool: "scheduleAppointment", outcome: "finds open times" },
  {
    who: "agent",
    text: "I have Tuesday, December 1 at 9:30 AM with Doctor Larkmere. Or Wednesday, December 2 at 11:00 AM with Doctor Dunstead. Which would you like?",
  },
  { who: "patient", text: "The first one, please." },
  { tool: "scheduleAppointment", outcome: "books in the clinic's schedule" },
  { who: "agent", text: "You're booked for Tuesday, December 1 at 9:30 AM with Doctor Larkmere." },
];
