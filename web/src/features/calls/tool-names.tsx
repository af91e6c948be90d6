import { chakra } from "@chakra-ui/react/styled-system";
import { BreakableName } from "../../components/data/text.tsx";
import { countTools } from "./call-words.ts";

/** How many tools a call used, and which when one asks. */
export const ToolNames = ({ names }: { names: readonly string[] }) =>
  names.length === 0 ? (
    <chakra.span color="fg.muted">{countTools(0)}</chakra.span>
  ) : (
    <chakra.details>
      <chakra.summary cursor="button" outline="0" focusVisibleRing="outside" borderRadius="l1" whiteSpace="nowrap">
        {countTools(names.length)}
      </chakra.summary>
      <chakra.ul listStyleType="none" mt="1" color="fg.muted">
        {names.map((name) => (
          <li key={name}>
            <BreakableName name={name} />
          </li>
        ))}
      </chakra.ul>
    </chakra.details>
  );
