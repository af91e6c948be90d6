export { changePassword } from "./change-password.ts";
export { checkSession, whoIsIn, type Session } from "./check.ts";
export { login, type PublicContext } from "./login.ts";
export { forgotPassword, setPassword } from "./mailed-links.ts";
export { endSession, listSessions, logoutEverywhere, type SignedInContext } from "./own-sessions.ts";
export { confirmOwnTotp, enrollOwnTotp, removeTotp } from "./own-totp.ts";
export { unlockUser } from "./unlock.ts";
export { viewAs } from "./view-as.ts";
