import { Button } from "@chakra-ui/react/button";
import PhoneOff from "lucide-react/dist/esm/icons/phone-off.mjs";
import SearchX from "lucide-react/dist/esm/icons/search-x.mjs";
import { Empty } from "../../components/feedback/empty.tsx";

type Props = {
  /** By the filters of the table. */ isNarrowed: boolean;
  /** By the office of the whole tab. */ isOfOffice: boolean;
  /** Not all calls have been looked through. */ hasMore: boolean;
  onShowAll: () => void;
};

/** Why the table is empty, and what to do about it. */
export const NoCalls = ({ isNarrowed, isOfOffice, hasMore, onShowAll }: Props) => {
  if (hasMore)
    return (
      <Empty
        icon={SearchX}
        title="No match so far"
        description="None of the newest calls pass these filters. Load more looks further back."
      />
    );
  if (!isNarrowed)
    return (
      <Empty
        icon={PhoneOff}
        title="No call data available"
        description={
          isOfOffice
            ? "Calls of this office appear here as soon as its voice agent takes one."
            : "Calls appear here as soon as a voice platform makes its first request."
        }
      />
    );
  return (
    <Empty icon={SearchX} title="No calls match these filters" description="Choose other filters, or look at all calls.">
      <Button variant="outline" size="sm" onClick={onShowAll}>
        Show all calls
      </Button>
    </Empty>
  );
};
