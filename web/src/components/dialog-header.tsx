import { Button } from "@chakra-ui/react/button";
import { Heading } from "@chakra-ui/react/heading";
import { chakra } from "@chakra-ui/react/styled-system";
import X from "lucide-react/dist/esm/icons/x.mjs";

type Props = {
  title: string;
  titleId: string;
  description: string | undefined;
  textId: string;
  /** The button that closes it bears its name. */ namesClose: boolean;
  onClose: () => void;
};

/** What a dialog is, and the way out of it, however long its name. */
export const DialogHeader = ({ title, titleId, description, textId, namesClose, onClose }: Props) => (
  <chakra.header
    display="flex"
    justifyContent="space-between"
    alignItems="flex-start"
    gap="4"
    flexShrink="0"
    px={{ base: "4", sm: "6" }}
    py="4"
    borderBottomWidth="1px"
    borderColor="border"
  >
    <chakra.div minW="0" overflowWrap="anywhere">
      <Heading as="h2" size="xl" id={titleId}>
        {title}
      </Heading>
      {description === undefined ? null : (
        <chakra.p id={textId} textStyle="sm" color="fg.muted" mt="1">
          {description}
        </chakra.p>
      )}
    </chakra.div>
    <Button variant="ghost" size="sm" aria-label="Close" flexShrink="0" onClick={onClose}>
      <X aria-hidden />
      {namesClose ? "Close" : null}
    </Button>
  </chakra.header>
);
