import { Box } from "@chakra-ui/react/box";
import { Grid } from "@chakra-ui/react/grid";
import { chakra } from "@chakra-ui/react/styled-system";
import type { ReactNode } from "react";
import { NavLink } from "react-router-dom";

const linkLook = {
  "& a": {
    display: "flex",
    alignItems: "center",
    minH: "11",
    px: "3",
    borderRadius: "l2",
    textStyle: "sm",
    fontWeight: "medium",
    color: "fg.muted",
    outline: "0",
    focusVisibleRing: "outside",
  },
  "& a:hover": { bg: "bg.muted" },
  "& a[aria-current=page]": { bg: "bg.muted", color: "fg", fontWeight: "semibold" },
} as const;

type Props = { label: string; parts: readonly { path: string; name: string }[]; children: ReactNode };

/** The parts of a page as links, beside the open one; on a narrow screen above it. */
export const SectionNav = ({ label, parts, children }: Props) => (
  <Grid templateColumns={{ base: "minmax(0, 1fr)", lg: "12rem minmax(0, 1fr)" }} gap={{ base: "5", lg: "8" }}>
    <chakra.nav aria-label={label}>
      <chakra.ul listStyleType="none" display="flex" flexDirection={{ base: "row", lg: "column" }} flexWrap="wrap" gap="1" css={linkLook}>
        {parts.map(({ path, name }) => (
          <li key={path}>
            <NavLink to={path} end>
              {name}
            </NavLink>
          </li>
        ))}
      </chakra.ul>
    </chakra.nav>
    <Box minW="0">{children}</Box>
  </Grid>
);
