import { Confirmation } from "../../components/dialog/confirmation.tsx";

type Props = { name: string; isBusy: boolean; onConfirm: () => void; onCancel: () => void };

/** Asks before an organization is switched off: its people and its calls stop at once. */
export const Deactivation = ({ name, ...asking }: Props) => (
  <Confirmation title="Deactivate tenant?" action="Deactivate" busyAction="Saving..." isDangerous {...asking}>
    {`The people of ${name} are signed out and cannot sign in, and its voice agents are refused, until it is active again. Nothing is deleted.`}
  </Confirmation>
);
