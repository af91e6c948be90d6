import { Stack } from "@chakra-ui/react/stack";
import { chakra } from "@chakra-ui/react/styled-system";
import { backupDays, type ErasureKind } from "@vitaline/contract";
import { formatDays } from "./erasure-format.tsx";

const destroyed: Record<ErasureKind, readonly string[]> = {
  call: [
    "What was said in the call, who called, and how it ended",
    "What the agent did during it",
    "Leads, tasks and messages that came from it",
  ],
  patient: [
    "The patient's calls, and what was said in them",
    "What agents did for the patient",
    "Leads, tasks and messages about the patient",
  ],
  tenant: [
    "All calls, and what was said in them",
    "All leads, tasks and messages",
    "Its people's accounts, offices and keys",
    "Its voice and record system connections, settings, totals and opt-outs",
  ],
};

type Props = { kind: ErasureKind; of: string; when?: string };

export const Effects = ({ kind, of, when = "" }: Props) => {
  const { goes, stays } = erasureEffects(kind);
  return (
    <Stack gap="3" textStyle="sm" overflowWrap="anywhere">
      <List title={`Destroyed at ${of}:`} items={goes} />
      <List title="What stays:" items={stays} />
      <chakra.p>{`${when} Backups are deleted ${formatDays(backupDays)} later.`.trim()}</chakra.p>
      <chakra.p fontWeight="semibold" color="fg">
        This cannot be undone.
      </chakra.p>
    </Stack>
  );
};

const alwaysKept = [
  "The audit log: it holds IDs and what was done, but no content",
  "The record system: nothing in it is changed",
  "Short-lived technical records, which are deleted automatically within 30 days",
];
const keptForActive = ["When calls were and how long they took, for totals and bills", "Opt-outs: who asked not to receive messages"];

const erasureEffects = (kind: ErasureKind): { goes: readonly string[]; stays: readonly string[] } => ({
  goes: destroyed[kind],
  stays: kind === "tenant" ? alwaysKept : [...alwaysKept, ...keptForActive],
});

const List = ({ title, items }: { title: string; items: readonly string[] }) => (
  <div>
    <chakra.p fontWeight="semibold" color="fg">
      {title}
    </chakra.p>
    <chakra.ul ps="5" listStyleType="disc">
      {items.map((item) => (
        <li key={item}>{item}</li>
      ))}
    </chakra.ul>
  </div>
);
