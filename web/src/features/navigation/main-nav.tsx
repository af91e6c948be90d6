import { chakra } from "@chakra-ui/react/styled-system";
import BookOpen from "lucide-react/dist/esm/icons/book-open.mjs";
import CodeXml from "lucide-react/dist/esm/icons/code-xml.mjs";
import LayoutDashboard from "lucide-react/dist/esm/icons/layout-dashboard.mjs";
import ListTodo from "lucide-react/dist/esm/icons/list-todo.mjs";
import MessageSquare from "lucide-react/dist/esm/icons/message-square.mjs";
import Phone from "lucide-react/dist/esm/icons/phone.mjs";
import SettingsIcon from "lucide-react/dist/esm/icons/settings.mjs";
import UserPlus from "lucide-react/dist/esm/icons/user-round-plus.mjs";
import Users from "lucide-react/dist/esm/icons/users-round.mjs";
import { type ComponentType, type RefObject, type SVGProps, useLayoutEffect, useRef } from "react";
import { Link as RouterLink, useLocation } from "react-router-dom";
import { opensPage, type Section, sections } from "../../lib/routing/places.ts";
import { useAuth } from "../../lib/session/auth.tsx";
import { Badge } from "@chakra-ui/react/badge";
import { VisuallyHidden } from "@chakra-ui/react/visually-hidden";
import { toDo } from "@vitaline/contract";
import { useApi } from "../../lib/api/use-api.ts";
import { countText } from "../to-do/to-do-format.ts";

/** The number of open items, counted again on each page. Red while one of them is an emergency. */
const ToDoCount = () => <Count key={useLocation().pathname} />;

const Count = () => {
  const { data } = useApi(toDo.countToDo, {}, { fresh: true });
  if (data === undefined || data.open === 0) return null;
  return (
    <Badge colorPalette={data.emergencies > 0 ? "red" : "orange"} ms="auto">
      {countText(data)}
      <VisuallyHidden>{` open${data.emergencies > 0 ? `, emergencies: ${data.emergencies}` : ""}`}</VisuallyHidden>
    </Badge>
  );
};

type Icon = ComponentType<SVGProps<SVGSVGElement>>;

const icons: Record<Section["path"], Icon> = {
  "/tenant/to-do": ListTodo,
  "/tenant/calls": Phone,
  "/tenant/leads": UserPlus,
  "/tenant/messages": MessageSquare,
  "/tenant/proxies": Users,
  "/tenant/developers": CodeXml,
  "/tenant/settings": SettingsIcon,
};

const dashboards = ["/tenant", "/tenant-dashboard"];

/** The pages of an organization: beside the content on a wide screen, else a line above it that scrolls sideways. */
export const MainNav = ({ top }: { top: string }) => {
  const { user } = useAuth();
  const { pathname } = useLocation();
  const list = useOpenInView(pathname);
  return (
    <chakra.nav
      aria-label="Main"
      bg="bg.panel"
      borderColor="border"
      borderBottomWidth={{ base: "1px", xl: "0" }}
      borderEndWidth={{ xl: "1px" }}
      minW="0"
    >
      <chakra.ul
        ref={list}
        listStyleType="none"
        display="flex"
        flexDirection={{ base: "row", xl: "column" }}
        gap="1"
        overflowX="auto"
        css={{ scrollPaddingInline: "1rem" }}
        // Browsers leave a focused item where it is when a part of it is seen.
        onFocus={({ target }) => target.scrollIntoView({ block: "nearest", inline: "nearest" })}
        px={{ base: "2", sm: "4", lg: "6", xl: "3" }}
        py={{ base: "1", xl: "6" }}
        position={{ xl: "sticky" }}
        top={top}
      >
        <Item to="/tenant" icon={LayoutDashboard} name="Dashboard" isOpen={dashboards.includes(pathname)} />
        {sections
          .filter(({ path }) => opensPage(user, path))
          .map(({ path, name }) => (
            <Item key={path} to={path} icon={icons[path]} name={name} isOpen={pathname === path || pathname.startsWith(`${path}/`)} />
          ))}
        <Item to="/docs" icon={BookOpen} name="Help" isOpen={false} />
      </chakra.ul>
    </chakra.nav>
  );
};

type ItemProps = { to: string; icon: Icon; name: string; isOpen: boolean };

const Item = ({ to, icon: ItemIcon, name, isOpen }: ItemProps) => (
  <chakra.li flexShrink="0">
    <chakra.span
      css={{
        "& a": {
          display: "flex",
          alignItems: "center",
          gap: "2.5",
          minH: "11",
          px: "3",
          borderRadius: "l2",
          textStyle: "sm",
          fontWeight: "medium",
          whiteSpace: "nowrap",
          color: "fg.muted",
          outline: "0",
          focusVisibleRing: "outside",
          focusRingOffset: "-2px",
        },
        "& a:hover": { bg: "bg.muted" },
        "& a[aria-current=page]": { bg: "teal.subtle", color: "teal.fg", fontWeight: "semibold" },
      }}
    >
      <RouterLink to={to} aria-current={isOpen ? "page" : undefined}>
        <ItemIcon width={18} height={18} aria-hidden />
        {name} {to === "/tenant/to-do" ? <ToDoCount /> : null}
      </RouterLink>
    </chakra.span>
  </chakra.li>
);

/** Scrolls the line sideways to the open page. */
const useOpenInView = (pathname: string): RefObject<HTMLUListElement | null> => {
  const list = useRef<HTMLUListElement>(null);
  useLayoutEffect(() => {
    const open = list.current?.querySelector("[aria-current=page]");
    if (!list.current || !open) return;
    const [outer, inner] = [list.current.getBoundingClientRect(), open.getBoundingClientRect()];
    list.current.scrollLeft += (inner.left + inner.right - outer.left - outer.right) / 2;
  }, [pathname]);
  return list;
};
