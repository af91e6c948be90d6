import { Card } from "@chakra-ui/react/card";
import { Skeleton } from "@chakra-ui/react/skeleton";
import { Stat } from "@chakra-ui/react/stat";
import { type ComponentType, type SVGProps, useId } from "react";

type Props = {
  label: string;
  /** undefined while loading */ value: string | undefined;
  caption?: string;
  icon: ComponentType<SVGProps<SVGSVGElement>>;
};

/** One figure. An article named by its label, with the value as its first definition; busy until the value is known. */
export const StatCard = ({ label, value, caption, icon: Icon }: Props) => {
  const labelId = useId();
  return (
    <Card.Root size="sm" as="article" aria-labelledby={labelId} aria-busy={value === undefined}>
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
