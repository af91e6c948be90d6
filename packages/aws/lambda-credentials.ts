/** Lambda hands a function its credentials in the environment: the SDK's other sources of them stay out of the bundles. */
export { fromEnv as defaultProvider } from "@aws-sdk/credential-provider-env";
