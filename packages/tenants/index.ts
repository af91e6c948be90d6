export { createTenant } from "./create.ts";
export { applyFields, toUpdate, changedFields, changedNames, type Fields } from "./partial-update.ts";
export { listTenants, readPlan, tenantDetail, tenantInfo, withTenantNames } from "./read.ts";
export {
  contactPreferencesOf,
  factsOf,
  factsToStore,
  mergeHours,
  inheritHours,
  messageTextsOf,
  minorsPolicyOf,
  settingsOf,
} from "./settings.ts";
export { maxVoiceProviders } from "./active-hooks.ts";
export { updateContactPreferences, updateContactPreferencesOf, updateTenant, updateTenantSettings } from "./update.ts";
