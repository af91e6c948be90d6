/** Making a new address ends the one before, so it asks first where there is one. */
export const calendarQuestions = {
  renew: {
    title: "Replace the calendar address?",
    text: "Calendars that have subscribed to the address from before will no longer be kept up to date.",
    action: "Replace address",
    busy: "Replacing...",
  },
  end: {
    title: "End the calendar address?",
    text: "Calendars that have subscribed to it will no longer be kept up to date.",
    action: "End address",
    busy: "Ending...",
  },
} as const;
