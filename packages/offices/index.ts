export { createOffice } from "./create.ts";
