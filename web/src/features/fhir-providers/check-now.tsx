import { Button } from "@chakra-ui/react/button";
import { VisuallyHidden } from "@chakra-ui/react/visually-hidden";
import type { FhirHealth } from "@vitaline/contract";
import { useAction } from "../../lib/api/use-action.ts";
import { useCheck, useIsChecking } from "./checks-under-way.ts";

/** Checks one record system, unless that is already under way. */
export const CheckNow = ({ id, name }: Pick<FhirHealth, "id" | "name">) => {
  const check = useCheck();
  const isChecking = useIsChecking(id);
  const { run } = useAction(async () => void (await check(id)));
  return (
    <Button size="sm" variant="outline" aria-disabled={isChecking} onClick={() => isChecking || run()}>
      {isChecking ? "Checking..." : "Check now"}
      <VisuallyHidden>{` ${name}`}</VisuallyHidden>
    </Button>
  );
};
