import { sessions } from "@vitaline/contract";
import { abandonRequests, call } from "../api/call.ts";
import { forgetView, noteViewOver, readView, storeView } from "./credentials.ts";
import { areas } from "./areas.ts";
import { leaveAllUnasked } from "../routing/unsaved-changes.ts";

/** Another person's screens in the same window: nothing that was loaded for the one may be left when the other begins. */
const goTo = (address: string): void => {
  leaveAllUnasked();
  location.assign(address);
};

/** Shows a tenant's console as its administrator sees it, in this tab only. `session` is what `viewAs` of the contract answered. */
export const startView = (session: { token: string }): void => {
  storeView(session.token, `${location.pathname}${location.search}`);
  goTo(areas.tenant_admin.home);
};

/** Of a look that has ended by itself: leads back to where it began, and nothing leads to it again. */
export const returnFromView = (from: string): void => {
  noteViewOver();
  leaveAllUnasked();
  location.replace(from);
};

/** Ends the look at the tenant, at the server too unless the time for it is up there already, and leads back to where it began. */
export const endView = async (isOver: boolean): Promise<void> => {
  const [token, from = areas.system_admin.home] = readView();
  abandonRequests();
  if (!isOver && token !== undefined) await call(sessions.logout, {}, { token }).catch(() => undefined);
  forgetView();
  if (isOver) returnFromView(from);
  else goTo(from);
};
