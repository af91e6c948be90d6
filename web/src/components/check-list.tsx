import { chakra } from "@chakra-ui/react/styled-system";
import Check from "lucide-react/dist/esm/icons/check.mjs";

/** Short statements, each with a tick. */
export const CheckList = ({ items }: { items: readonly string[] }) => (
  <chakra.ul listStyleType="none" display="grid" gap="3">
    {items.map((item) => (
      <chakra.li key={item} display="flex" gap="3">
        <chakra.span color="teal.fg" mt="1" flexShrink="0">
          <Check width={18} height={18} aria-hidden />
        </chakra.span>
        {item}
      </chakra.li>
    ))}
  </chakra.ul>
);
