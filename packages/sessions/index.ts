export { checkSession, endSession, type Session } from "./check.ts";
export { login } from "./login.ts";
