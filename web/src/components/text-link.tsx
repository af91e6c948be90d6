import { Link, type LinkProps } from "@chakra-ui/react/link";
import { Link as RouterLink, type To } from "react-router-dom";

/** A link in running text or a list to another page of this site. */
export const TextLink = ({ to, children, ...rest }: LinkProps & { to: To }) => (
  <Link asChild {...rest}>
    <RouterLink to={to}>{children}</RouterLink>
  </Link>
);
