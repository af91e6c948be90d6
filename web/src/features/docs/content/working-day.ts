/** What a clinic does with the dashboard each day, and where. */
export const workingDay: readonly { title: string; text: string }[] = [
  {
    title: "Work off the list",
    text: "“To do” collects what calls leave: emergencies first, then refills, questions, callbacks and bookings by due time, and connections that fail. Give an item to a colleague, change its due time, note something, and mark it as done; a call's follow-up and a lead's status change with it. An open item shows the patient's name and what was asked for; without a name, as in an emergency, it shows the patient ID if the caller was verified. Each opening is audited.",
  },
  {
    title: "Hear of emergencies",
    text: "Administrators are emailed within minutes of an emergency, without patient data, unless they choose otherwise. At the end of “To do”, each colleague chooses emergencies, a daily summary, and quiet hours.",
  },
  {
    title: "Find a call",
    text: "“Calls”: “Find a call” looks for a phone number or for words in the summaries; the filters show what failed or needs follow-up. Save filters as a view, and select several calls to follow up at once. Administrators and auditors can download the calls as CSV.",
  },
  {
    title: "Compare months",
    text: "The tab “Analytics”: choose a period or an office. Below the figures stand those of the period before, and a day opens its calls.",
  },
  {
    title: "Invite a colleague",
    text: "“Settings”, “Team”. Staff work with calls and the list; auditors read the audit log and reports; administrators do everything. The invitation is valid for seven days. “Edit” unlocks a colleague after failed sign-ins, and resets a lost second factor.",
  },
  {
    title: "Change hours and holidays",
    text: "“Settings” has the default hours and the organization's holidays; “Offices” has those of one office. Voice agents answer with them.",
  },
  {
    title: "Answer “Who saw this patient?”",
    text: "The tab “Audit”, “Access Report”: a patient, or a colleague, and any days of the last seven years. On the screen, as CSV, PDF or JSON; the report itself is audited.",
  },
];
