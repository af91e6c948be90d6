import { sessions } from "@vitaline/contract";
import { abandonRequests, call } from "../api/call.ts";
import { forgetView, markViewEnded, readView, storeView } from "./credentials.ts";
import { areas } from "./areas.ts";
import { stopAllAsking } from "../routing/unsaved-changes.ts";

/** A full page load: no data of one user may remain for the other. */
const goTo = (address: string): void => {
  stopAllAsking();
  location.assign(address);
};

/** Shows a tenant's dashboard in this tab. `session` is the answer of `viewAs`. */
export const startView = (session: { token: string }): void => {
  storeView(session.token, `${location.pathname}${location.search}`);
  goTo(areas.tenant_admin.home);
};

/** For a view that has ended by itself. Replaces the history entry. */
export const returnFromView = (from: string): void => {
  markViewEnded();
  stopAllAsking();
  location.replace(from);
};

/** Ends the session at the server unless it has expired, and leads back to where the view began. */
export const endView = async (isOver: boolean): Promise<void> => {
  const [token, from = areas.system_admin.home] = readView();
  abandonRequests();
  if (!isOver && token !== undefined) await call(sessions.logout, {}, { token }).catch(() => undefined);
  forgetView();
  if (isOver) returnFromView(from);
  else goTo(from);
};
