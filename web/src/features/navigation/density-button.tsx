import { Button } from "@chakra-ui/react/button";
import Rows3 from "lucide-react/dist/esm/icons/rows-3.mjs";
import Rows4 from "lucide-react/dist/esm/icons/rows-4.mjs";
import { setDensity, useDensity } from "../../lib/dom/density.ts";

export const DensityButton = () => {
  const isCompact = useDensity() === "compact";
  const label = isCompact ? "Use comfortable spacing" : "Use compact spacing";
  return (
    <Button
      variant="ghost"
      px="0"
      hideBelow="md"
      aria-label={label}
      title={label}
      onClick={() => setDensity(isCompact ? "comfortable" : "compact")}
    >
      {isCompact ? <Rows3 aria-hidden /> : <Rows4 aria-hidden />}
    </Button>
  );
};
