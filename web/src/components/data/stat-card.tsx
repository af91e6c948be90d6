import { Card } from "@chakra-ui/react/card";
import { Skeleton } from "@chakra-ui/react/skeleton";
import { Stat } from "@chakra-ui/react/stat";
import { type ComponentType, type ReactNode, type SVGProps, useId } from "react";
import { chakra } from "@chakra-ui/react/styled-system";

export type Count = { name: string; value: ReactNode; note?: ReactNode };

export const StatList = ({ label, counts, leastWidth = "7.5rem" }: { label: string; counts: readonly Count[]; leastWidth?: string }) => (
  <chakra.dl
    aria-label={label}
    display="grid"
    gap="3"
    style={{ gridTemplateColumns: `repeat(auto-fit, minmax(min(100%, ${leastWidth}), 1fr))` }}
  >
    {counts.map(({ name, value, note }) => (
      <chakra.div key={name} px="4" py="3" borderWidth="1px" borderColor="border" borderRadius="l2" minW="0">
        <chakra.dt textStyle="sm" color="fg.muted">
          {name}
        </chakra.dt>
        <chakra.dd textStyle="2xl" fontWeight="semibold" fontVariantNumeric="tabular-nums">
          {value}
        </chakra.dd>
        {note === undefined ? null : (
          <chakra.dd textStyle="sm" color="fg.muted" mt="1">
            {note}
          </chakra.dd>
        )}
      </chakra.div>
    ))}
  </chakra.dl>
);

type Props = {
  label: string;
  /** undefined while loading */
  value: string | undefined;
  caption?: string;
  icon: ComponentType<SVGProps<SVGSVGElement>>;
  /** Low, where the content beneath matters more. */
  isLow?: boolean;
};

const low = {
  "--card-padding": "spacing.3",
  "& dl": { display: "grid", gridTemplateColumns: "minmax(0, 1fr) auto", columnGap: "3", rowGap: "0", alignItems: "baseline" },
  "& dl > *": { minW: "0" },
  "& dl > dd": { textStyle: "xl" },
  "& dl > dd:nth-of-type(2)": { gridColumn: "1 / -1", textStyle: "xs" },
  "& svg": { display: "none" },
} as const;

/** An article named by its label, with the value as its first definition; `aria-busy` until the value is known. */
export const StatCard = ({ label, value, caption, icon: Icon, isLow = false }: Props) => {
  const labelId = useId();
  return (
    <Card.Root size="sm" as="article" aria-labelledby={labelId} aria-busy={value === undefined} css={isLow ? low : {}}>
      <Card.Body>
        <Stat.Root>
          <Stat.Label>
            <span id={labelId}>{label}</span>
            <Stat.ValueUnit hideBelow="sm">
              <Icon width={20} height={20} aria-hidden />
            </Stat.ValueUnit>
          </Stat.Label>
          <Stat.ValueText>{value ?? <Skeleton as="span" h="8" w="24" my="1" display="block" aria-hidden />}</Stat.ValueText>
          {caption === undefined ? null : (
            <Stat.HelpText asChild>
              <dd>{caption}</dd>
            </Stat.HelpText>
          )}
        </Stat.Root>
      </Card.Body>
    </Card.Root>
  );
};
