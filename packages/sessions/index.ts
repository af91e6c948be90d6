export { checkSession, findSessionUser, type Session } from "./check.ts";
export { type SignedInContext } from "./check.ts";
export { login, type PublicContext } from "./login.ts";
export { endSession, listSessions, logoutEverywhere } from "./own-sessions.ts";
export { changePassword, forgotPassword, openInvitation, setPassword } from "./password.ts";
export { confirmOwnTotp, enrollOwnTotp, removeTotp, resetColleagueTotp } from "./second-factor.ts";
export { unlockUser } from "./throttle.ts";
export { viewAs } from "./view-as.ts";
