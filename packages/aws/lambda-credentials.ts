/** Lambda provides credentials in the environment; bundles replace the SDK's provider chain by this module. */
export { fromEnv as defaultProvider } from "@aws-sdk/credential-provider-env";
