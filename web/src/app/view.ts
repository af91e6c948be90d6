import { sessions } from "@vitaline/contract";
import { call } from "../api/call.ts";
import { forgetView, readView, storeView } from "../api/credentials.ts";
import { areas } from "./areas.ts";

/** Another person's screens in the same window: nothing that was loaded for the one may be left when the other begins. */
const goTo = (address: string): void => location.assign(address);

/** Shows a tenant's console as its administrator sees it, in this tab only. `session` is what `viewAs` of the contract answered. */
export const startView = (session: { token: string }): void => {
  storeView(session.token, `${location.pathname}${location.search}`);
  goTo(areas.tenant_admin.home);
};

/** Ends the look at the tenant, at the server too unless the time for it is up there already, and leads back to where it began. */
export const endView = async (isOver: boolean): Promise<void> => {
  const [token, from = areas.system_admin.home] = readView();
  if (!isOver && token !== undefined) await call(sessions.logout, {}, { token }).catch(() => undefined);
  forgetView();
  goTo(from);
};
