export { openEhr, prefetchEhr } from "@vitaline/fhir-providers";
