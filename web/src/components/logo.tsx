import { chakra } from "@chakra-ui/react/styled-system";

/** The mark: one heartbeat that is also a voice. */
export const Logo = () => (
  <chakra.span display="inline-flex" alignItems="center" gap="2.5" fontWeight="bold" textStyle="lg" letterSpacing="tight" color="inherit">
    <chakra.svg viewBox="0 0 32 32" boxSize="8" aria-hidden focusable="false">
      <rect width="32" height="32" rx="9" fill="var(--vl-colors-teal-solid)" />
      <path
        d="M5 17h5l2.5-7 4.5 13 3-9 1.8 3H27"
        fill="none"
        stroke="var(--vl-colors-teal-contrast)"
        strokeWidth="2.4"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </chakra.svg>
    Vitaline
  </chakra.span>
);
