import { SearchedNumber, tenantCalls, tenantOffices, tenants } from "@vitaline/contract";
import { useNavigate } from "react-router-dom";
import { useAll } from "../../lib/api/use-all.ts";
import { useApi } from "../../lib/api/use-api.ts";
import { setColorMode, useColorMode } from "../../lib/dom/color-mode.ts";
import { setDensity, useDensity } from "../../lib/dom/density.ts";
import { placesOf } from "../../lib/routing/places.ts";
import { useAuth } from "../../lib/session/auth.tsx";
import { useMay } from "../../lib/session/may.ts";
import { handNumber } from "../calls/list/handed-number.ts";
import { officeAddress } from "../offices/office-route.ts";
import { Chooser, type Choices } from "./chooser.tsx";

type Props = { onClose: () => void };

/** Leads to pages, offices or tenants, settings, help, and calls. The typed text stays in memory: it may be about a patient. */
const Palette = (props: Props) =>
  useAuth().user?.role === "system_admin" ? <ConsolePalette {...props} /> : <OrganizationPalette {...props} />;

const OrganizationPalette = ({ onClose }: Props) => {
  const navigate = useNavigate();
  const general = useGeneralChoices();
  const { data = [] } = useApi(tenantOffices.officeCards, {});
  const mayChange = useMay("POST /api/tenant/offices");
  const mayCalls = useMay("GET /api/tenant/calls");
  const offices = data.map(({ id, name }) => ({
    id: `office-${id}`,
    name,
    note: mayChange ? "Office" : "Calls of this office",
    words: `${name} office`,
    run: () => void navigate(mayChange ? `/tenant${officeAddress(id)}` : `/tenant/calls?office=${id}`),
  }));
  const callsOf = (typed: string): Choices[number]["choices"] => {
    if (!mayCalls) return [];
    const named = tenantCalls.readCall.params.safeParse({ callId: typed.trim().toLowerCase() }).data;
    if (named)
      return [
        { id: "call", name: "Open the call with this id", words: typed, run: () => void navigate(`/tenant/calls?call=${named.callId}`) },
      ];
    if (!isLikeNumber(typed)) return [];
    const search = () => {
      handNumber(typed.trim());
      void navigate("/tenant/calls");
    };
    return [{ id: "number", name: "Find calls by this phone number", note: "Audited", words: typed, run: search }];
  };
  const choicesFor = (typed: string): Choices => [
    { name: "Calls", choices: callsOf(typed) },
    ...(mayChange || mayCalls ? [{ name: "Offices", choices: offices }] : []),
    ...general,
  ];
  return (
    <Chooser
      label={mayCalls ? "Page, office, setting, help, phone number or call ID" : "Page, setting or help"}
      choicesFor={choicesFor}
      onClose={onClose}
    />
  );
};

const ConsolePalette = ({ onClose }: Props) => {
  const navigate = useNavigate();
  const general = useGeneralChoices();
  const { data = [] } = useAll(tenants.listTenants, {});
  const choices = data.map(({ id, name, contactEmail }) => ({
    id: `tenant-${id}`,
    name,
    note: "Tenant",
    words: `${name} ${contactEmail} tenant`,
    run: () => void navigate(`/admin?tab=tenants&tenant=${id}`),
  }));
  return <Chooser label="Page, tenant, setting or help" choicesFor={() => [...general, { name: "Tenants", choices }]} onClose={onClose} />;
};

/** Digits as people write a number; names and other ids have letters. */
const isLikeNumber = (typed: string): boolean => /^[\d\s()+.-]+$/.test(typed) && SearchedNumber.safeParse(typed).success;

/** Pages, settings, help, and what can be done at once. */
const useGeneralChoices = (): Choices => {
  const { user, signOut } = useAuth();
  const navigate = useNavigate();
  const isCompact = useDensity() === "compact";
  const isDark = useColorMode() === "dark";
  const groups = placesOf(user).map(({ name, places }) => ({
    name,
    choices: places.map((place) => ({
      id: place.to,
      name: place.name,
      words: `${place.name} ${place.also ?? ""}`,
      run: () => void navigate(place.to),
    })),
  }));
  const actions = [
    {
      id: "density",
      name: isCompact ? "Use comfortable spacing" : "Use compact spacing",
      words: "use compact comfortable spacing density rows",
      run: () => setDensity(isCompact ? "comfortable" : "compact"),
    },
    {
      id: "color-mode",
      name: isDark ? "Switch to light mode" : "Switch to dark mode",
      words: "switch to light dark mode colors theme",
      run: () => setColorMode(isDark ? "light" : "dark"),
    },
    { id: "logout", name: "Logout", words: "log out sign out leave", run: signOut },
  ];
  return [...groups, { name: "Actions", choices: actions }];
};

export default Palette;
