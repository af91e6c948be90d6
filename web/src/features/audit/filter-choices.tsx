import { AuditRange } from "@vitaline/contract";
import { ChoiceField } from "../../components/form/fields.tsx";
import { rangeNames } from "../../lib/format/labels.ts";
import { actionTypeNames, type AuditFilters } from "./audit-filters.ts";

const choices = <Value extends string>(names: Record<Value, string>) =>
  (Object.keys(names) as Value[]).map((value) => ({ value, label: names[value] }));

type Props = { filters: AuditFilters; onChoose: (change: Partial<AuditFilters>) => void };

/** What kind of act, and how long ago at most. */
export const FilterChoices = ({ filters, onChoose }: Props) => (
  <>
    <ChoiceField
      label="Action type"
      error={undefined}
      options={choices(actionTypeNames)}
      value={filters.actionType}
      onChange={({ target }) => onChoose({ actionType: target.value as AuditFilters["actionType"] })}
    />
    <ChoiceField
      label="Time range"
      error={undefined}
      options={AuditRange.options.map((value) => ({ value, label: rangeNames[value] }))}
      value={filters.timeRange}
      onChange={({ target }) => onChoose({ timeRange: target.value as AuditFilters["timeRange"] })}
    />
  </>
);
