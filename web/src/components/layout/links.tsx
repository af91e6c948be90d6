import { Link, type LinkProps } from "@chakra-ui/react/link";
import { Link as RouterLink, type To } from "react-router-dom";
import { Button, type ButtonProps } from "@chakra-ui/react/button";
import ExternalLink from "lucide-react/dist/esm/icons/external-link.mjs";

export const OutsideLink = ({ children, ...rest }: LinkProps & { href: string }) => (
  <Link target="_blank" rel="noopener noreferrer" {...rest}>
    {children}
    <ExternalLink width={16} height={16} aria-hidden />
  </Link>
);

export const ButtonLink = ({ to, children, ...rest }: ButtonProps & { to: To }) => (
  <Button asChild {...rest}>
    <RouterLink to={to}>{children}</RouterLink>
  </Button>
);

export const TextLink = ({ to, children, ...rest }: LinkProps & { to: To }) => (
  <Link asChild {...rest}>
    <RouterLink to={to}>{children}</RouterLink>
  </Link>
);
