import { chakra } from "@chakra-ui/react/styled-system";
import { endpoints } from "./content/endpoints.ts";

export const EndpointList = () => (
  <chakra.ul
    listStyleType="none"
    borderWidth="1px"
    borderColor="border"
    borderRadius="l3"
    overflow="hidden"
    bg="bg.panel"
    aria-labelledby="endpoints"
  >
    {endpoints.map(({ route, text }) => (
      <chakra.li
        key={route}
        px="5"
        py="3.5"
        display="grid"
        gap="1"
        alignItems="baseline"
        gridTemplateColumns={{ md: "20rem 1fr" }}
        borderColor="border.muted"
        _notFirst={{ borderTopWidth: "1px" }}
      >
        <chakra.code fontFamily="mono" textStyle="sm" fontWeight="semibold" overflowWrap="anywhere">
          {route}
        </chakra.code>
        <chakra.span textStyle="sm" color="fg.muted">
          {text}
        </chakra.span>
      </chakra.li>
    ))}
  </chakra.ul>
);
