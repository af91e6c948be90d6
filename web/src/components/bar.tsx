import { chakra } from "@chakra-ui/react/styled-system";

type Props = {
  label: string;
  value: number;
  max?: number;
  /** What it says in words; the number alone when absent. */ text?: string;
  /** More than there should be. */ isOver?: boolean;
};

/** How much of a whole, drawn; never more than all of it. */
export const Bar = ({ label, value, max = 100, text, isOver = false }: Props) => {
  const part = max <= 0 ? 0 : Math.min(100, Math.max(0, (value / max) * 100));
  return (
    <chakra.div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.round(part * 10) / 10}
      aria-valuetext={text}
      h="2"
      w="full"
      borderRadius="full"
      bg="bg.emphasized"
      overflow="hidden"
    >
      <chakra.div h="full" borderRadius="full" bg={isOver ? "orange.solid" : "teal.solid"} style={{ width: `${part}%` }} />
    </chakra.div>
  );
};
