const cell = (title: string): string => `& tbody tr td[data-title="${title}"]`;

/** Where rows are cards, an event is two lines: what was done and whether it went well, then who, whom it concerns, and when. The rest is in its dialog. */
export const asTwoLines = {
  "& tbody[role=rowgroup]": { display: "block" },
  "& tbody tr[role=row]": {
    display: "grid",
    columnGap: "4",
    gridTemplateColumns: { base: "minmax(0, 1fr) auto", md: "repeat(2, minmax(0, 1fr)) auto" },
    gridTemplateAreas: { base: '"action status" "actor time" "whom whom"', md: '"action action status" "actor whom time"' },
  },
  "& tbody tr td[data-title]": { display: "block", textAlign: "start", py: "0.5", "&::before": { display: "none" } },
  [cell("Action")]: { gridArea: "action" },
  [cell("Status")]: { gridArea: "status", textAlign: "end" },
  [cell("Actor")]: { gridArea: "actor", color: "fg.muted" },
  [cell("Organization")]: { gridArea: "whom", color: "fg.muted" },
  [cell("Timestamp")]: { gridArea: "time", color: "fg.muted", textAlign: "end" },
  [`${cell("Resource")}, ${cell("IP Address")}, & .small`]: { display: "none" },
} as const;
