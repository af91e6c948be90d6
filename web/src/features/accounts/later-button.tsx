import { Button } from "@chakra-ui/react/button";
import { useAuth } from "../../lib/session/auth.tsx";

/** The only other way out of a duty. */
export const LaterButton = () => {
  const { signOut } = useAuth();
  return (
    <Button size="sm" variant="outline" alignSelf="flex-start" onClick={signOut}>
      Log out and do it later
    </Button>
  );
};
