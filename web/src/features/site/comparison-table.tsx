import { chakra } from "@chakra-ui/react/styled-system";
import type { Comparison } from "./content/pricing.ts";

/** A table that scrolls sideways by itself where it does not fit; the keyboard reaches it for that. */
export const ComparisonTable = ({ caption, columns, rows }: Comparison) => (
  <chakra.section
    aria-label={caption}
    tabIndex={0}
    overflowX="auto"
    borderWidth="1px"
    borderColor="border"
    borderRadius="l3"
    bg="bg.panel"
    outline="0"
    focusVisibleRing="outside"
  >
    <chakra.table
      w="full"
      minW="30rem"
      tableLayout="fixed"
      textAlign="start"
      textStyle="sm"
      fontVariantNumeric="tabular-nums"
      css={{
        "& :is(th, td)": { px: { base: "4", md: "5" }, py: "3", textAlign: "start", fontWeight: "normal" },
        "& :is(thead th, tbody th, caption)": { fontWeight: "semibold" },
        "& tbody tr": { borderTopWidth: "1px", borderColor: "border.muted" },
        "& td": { color: "fg.muted" },
      }}
    >
      <chakra.caption captionSide="top" textAlign="start" px="5" py="3.5" textStyle="md" borderBottomWidth="1px" borderColor="border">
        {caption}
      </chakra.caption>
      <chakra.thead bg="bg.subtle">
        <tr>
          <chakra.td w={{ base: "9.5rem", md: "40%" }} />
          {columns.map((column) => (
            <th key={column} scope="col">
              {column}
            </th>
          ))}
        </tr>
      </chakra.thead>
      <tbody>
        {rows.map(([name, ...values]) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            {values.map((value, index) => (
              <td key={columns[index]}>{value}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </chakra.table>
  </chakra.section>
);
