import { Spinner } from "@chakra-ui/react/spinner";
import { chakra } from "@chakra-ui/react/styled-system";

export const Waiting = ({ text }: { text: string }) => (
  <chakra.output display="flex" flexDirection="column" alignItems="center" justifyContent="center" gap="4" minH="60vh" color="fg.muted">
    <Spinner size="lg" color="teal.solid" aria-hidden />
    <span>{text}</span>
  </chakra.output>
);
