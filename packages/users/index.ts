export { asUser, createUser } from "./create.ts";
export { listUsers } from "./list.ts";
export { passwordMatches } from "./password.ts";
