export { createTenant } from "./create.ts";
export { applied, changeOf, differing, type Fields } from "./partial-update.ts";
export { listTenants, planOf, tenantDetail, tenantInfo, withTenantNames } from "./read.ts";
export { contactPreferencesOf, hoursAfter, hoursUnder, messageTextsOf, settingsOf } from "./settings.ts";
export { mostVoiceProviders } from "./switch-hooks.ts";
export { updateContactPreferences, updateContactPreferencesOf, updateTenant, updateTenantSettings } from "./update.ts";
