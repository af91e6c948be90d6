const cell = (title: string): string => `& tbody tr td[data-title="${title}"]`;

/** On a phone an event is two lines: what was done and whether it went well, then who and when. The rest is in its dialog. */
export const onPhone = {
  "& tbody tr[role=row]": {
    display: "grid",
    gridTemplateColumns: "minmax(0, 1fr) auto",
    columnGap: "4",
    gridTemplateAreas: '"action status" "actor time"',
  },
  "& tbody tr td[data-title]": { display: "block", textAlign: "start", py: "0.5", "&::before": { display: "none" } },
  [cell("Action")]: { gridArea: "action" },
  [cell("Status")]: { gridArea: "status", textAlign: "end" },
  [cell("Actor")]: { gridArea: "actor", color: "fg.muted" },
  [cell("Timestamp")]: { gridArea: "time", color: "fg.muted", textAlign: "end" },
  [`${cell("Resource")}, ${cell("IP Address")}, & .small`]: { display: "none" },
} as const;
