import { Button, type ButtonProps } from "@chakra-ui/react/button";
import { Link as RouterLink, type To } from "react-router-dom";

/** A link to another page of this site that looks like a button. */
export const ButtonLink = ({ to, children, ...rest }: ButtonProps & { to: To }) => (
  <Button asChild {...rest}>
    <RouterLink to={to}>{children}</RouterLink>
  </Button>
);
