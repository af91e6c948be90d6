import { Stack } from "@chakra-ui/react/stack";
import { chakra } from "@chakra-ui/react/styled-system";
import { backupDays, type ErasureKind } from "@vitaline/contract";
import { effectsOf } from "./erasure-effects.ts";
import { daysInWords } from "./erasure-words.ts";

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

type Props = { kind: ErasureKind; /** Whose data it is. */ of: string; /** When it begins, unless at once. */ when?: string };

/** What is destroyed, what stays, and that it is for good. */
export const Effects = ({ kind, of, when = "" }: Props) => {
  const { goes, stays } = effectsOf(kind);
  return (
    <Stack gap="3" textStyle="sm" overflowWrap="anywhere">
      <List title={`Destroyed at ${of}:`} items={goes} />
      <List title="Stays:" items={stays} />
      <chakra.p>{`${when} Backups are gone ${daysInWords(backupDays)} later.`.trim()}</chakra.p>
      <chakra.p fontWeight="semibold" color="fg">
        This cannot be undone.
      </chakra.p>
    </Stack>
  );
};
