export { assignFhirProvider } from "./assign.ts";
export { createFhirProvider } from "./create.ts";
export { openEhr, type Ehr } from "./open.ts";
