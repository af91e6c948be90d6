export { createTenant } from "./create.ts";
export { planOf, tenantDetail, listTenants, tenantInfo, withTenantNames } from "./read.ts";
export { applied, changeOf, differing, type Fields } from "./partial-update.ts";
export { hoursAfter, hoursUnder, contactPreferencesOf, messageTextsOf, settingsOf } from "./settings.ts";
export { mostVoiceProviders } from "./switch-hooks.ts";
export { updateContactPreferences, updateContactPreferencesOf, updateTenant, updateTenantSettings } from "./update.ts";
