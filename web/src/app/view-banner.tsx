import { Button } from "@chakra-ui/react/button";
import { Container } from "@chakra-ui/react/container";
import { Flex } from "@chakra-ui/react/flex";
import { chakra } from "@chakra-ui/react/styled-system";
import type { Me } from "@vitaline/contract";
import { useEffect, useState } from "react";
import { formatDuration } from "../lib/format/times.ts";
import { useAuth } from "../lib/session/auth.tsx";

/** Whole seconds until `until`, 0 once it has passed. */
const useSecondsLeft = (until: string): number => {
  const [left, setLeft] = useState(() => secondsUntil(until));
  useEffect(() => {
    const timer = setInterval(() => setLeft(secondsUntil(until)), 1000);
    return () => clearInterval(timer);
  }, [until]);
  return left;
};

const secondsUntil = (instant: string): number => Math.max(0, Math.ceil((Date.parse(instant) - Date.now()) / 1000));

type Props = { name: string; view: NonNullable<Me["viewAs"]> };

/** The banner makes the header taller: the browser must not scroll a focused element beneath it. */
const useScrollPadding = (): void =>
  useEffect(() => {
    const { style } = document.documentElement;
    style.scrollPaddingTop = "10rem";
    return () => void style.removeProperty("scroll-padding-top");
  }, []);

/** Shown to a system administrator who views a tenant's dashboard. */
const ViewBanner = ({ name, view: { tenantName, until } }: Props) => {
  const secondsLeft = useSecondsLeft(until);
  const { endView } = useAuth();
  useScrollPadding();
  const isOver = secondsLeft === 0;
  useEffect(() => {
    if (isOver) endView(true);
  }, [isOver, endView]);
  return (
    <chakra.section aria-label="View as a tenant" bg="orange.subtle" color="orange.fg" textStyle="sm">
      <Container>
        <Flex py="2" align="center" justify="space-between" columnGap="4" rowGap="2" wrap="wrap">
          <chakra.p flex="1 1 18rem" minW="0" overflowWrap="anywhere">
            You are viewing <chakra.strong>{tenantName}</chakra.strong> as <chakra.strong>{name}</chakra.strong>. Changes are disabled.{" "}
            <chakra.span role="timer" fontVariantNumeric="tabular-nums" whiteSpace="nowrap">
              {isOver ? "The view has ended." : `It ends in ${formatDuration(secondsLeft)}.`}
            </chakra.span>
          </chakra.p>
          <Button size="sm" variant="outline" onClick={() => endView(false)}>
            End view
          </Button>
        </Flex>
      </Container>
    </chakra.section>
  );
};

export default ViewBanner;
