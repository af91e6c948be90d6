import type { UserAccess } from "@vitaline/contract";
import type { UseFormRegisterReturn } from "react-hook-form";
import { accessNames } from "../../lib/session/may.ts";
import { ChoiceField } from "../form/fields.tsx";

const options = (["administrator", "staff", "auditor"] as const).map((value) => ({ value, label: accessNames[value] }));

const hints = {
  administrator: "Everything, including keys, settings and the team.",
  staff: "Calls, tasks, leads and messages. No keys, no settings.",
  auditor: "The audit log, figures and exports. No calls, no keys, no settings.",
} as const;

type Props = UseFormRegisterReturn & { error: string | undefined; access: UserAccess | undefined; isNew?: boolean };

export const AccessField = ({ access = "administrator", isNew = false, ...field }: Props) => (
  <ChoiceField label="Access" hint={`${hints[access]}${isNew ? "" : " Changing it signs them out."}`} options={options} {...field} />
);
