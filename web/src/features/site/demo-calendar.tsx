import { Box } from "@chakra-ui/react/box";
import { Button } from "@chakra-ui/react/button";
import { Heading } from "@chakra-ui/react/heading";
import { chakra } from "@chakra-ui/react/styled-system";
import { Text } from "@chakra-ui/react/text";
import { useEffect, useRef, useState } from "react";
import { OutsideLink, TextLink } from "../../components/layout/links.tsx";
import { Waiting } from "../../components/feedback/waiting.tsx";

const lateMilliseconds = 10_000;
const frameHeight = "700px";

const Poster = ({ host, onOpen }: { host: string; onOpen: () => void }) => (
  <>
    <Heading as="h3" size="lg">
      Pick a time in our calendar
    </Heading>
    <Text color="fg.muted" maxW="prose">
      {`The calendar comes from ${host}, which may set cookies of its own. Nothing is loaded from there before you choose to.`}
    </Text>
    <Button size="lg" onClick={onOpen}>
      Choose a time
    </Button>
  </>
);

const Frame = ({ url }: { url: string }) => {
  const frame = useRef<HTMLIFrameElement>(null);
  const [state, setState] = useState<"loading" | "late" | "loaded">("loading");

  useEffect(() => {
    // The focused button is gone.
    frame.current?.focus();
    const timer = setTimeout(() => setState((before) => (before === "loading" ? "late" : before)), lateMilliseconds);
    return () => clearTimeout(timer);
  }, []);

  return (
    <Box
      position="relative"
      minH={frameHeight}
      w="full"
      bg="bg.panel"
      borderWidth="1px"
      borderColor="border"
      borderRadius="l3"
      overflow="hidden"
    >
      {state === "loading" ? (
        <Box position="absolute" inset="0">
          <Waiting text="Loading the calendar..." />
        </Box>
      ) : null}
      {state === "late" ? (
        <Text role="alert" position="absolute" inset="0" p="8" textAlign="center">
          The calendar did not load. Open it in a new tab, or <TextLink to="/contact?topic=demo">write to us</TextLink>.
        </Text>
      ) : null}
      <chakra.iframe
        ref={frame}
        src={url}
        title="Schedule a demo"
        sandbox="allow-scripts allow-same-origin allow-forms allow-popups"
        referrerPolicy="strict-origin-when-cross-origin"
        loading="lazy"
        position="relative"
        display="block"
        w="full"
        h={frameHeight}
        border="0"
        visibility={state === "late" ? "hidden" : "visible"}
        onLoad={() => setState("loaded")}
      />
    </Box>
  );
};

/** The calendar service's page, loaded only on request. */
const DemoCalendar = ({ url }: { url: string }) => {
  const [isOpen, setIsOpen] = useState(false);
  const { host } = new URL(url);
  return (
    <>
      {isOpen ? <Frame url={url} /> : <Poster host={host} onOpen={() => setIsOpen(true)} />}
      <OutsideLink href={url} textStyle="sm" alignSelf="center">
        Open the calendar in a new tab
      </OutsideLink>
    </>
  );
};

export default DemoCalendar;
