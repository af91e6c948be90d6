import { chakra } from "@chakra-ui/react/styled-system";
import { CopyButton } from "../../components/data/copy-button.tsx";

type Props = { label: string; text: string; /** How it reads best. */ shown?: string };

/** A text for another program, to be copied or typed. */
export const CopyableText = ({ label, text, shown = text }: Props) => (
  <chakra.div display="flex" alignItems="flex-start" justifyContent="space-between" gap="4">
    <dl>
      <chakra.dt textStyle="sm" fontWeight="semibold">
        {label}
      </chakra.dt>
      <chakra.dd textStyle="sm" fontFamily="mono" overflowWrap="anywhere">
        {shown}
      </chakra.dd>
    </dl>
    <CopyButton what={label.toLowerCase()} text={text} />
  </chakra.div>
);
