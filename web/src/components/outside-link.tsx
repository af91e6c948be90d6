import { Link, type LinkProps } from "@chakra-ui/react/link";
import ExternalLink from "lucide-react/dist/esm/icons/external-link.mjs";

/** A link that leaves this site, in a tab of its own. */
export const OutsideLink = ({ children, ...rest }: LinkProps & { href: string }) => (
  <Link target="_blank" rel="noopener noreferrer" {...rest}>
    {children}
    <ExternalLink width={16} height={16} aria-hidden />
  </Link>
);
