export { canSignIn, lockWrite, readAccount, readUser, tenantNameOf, unknownUserId, unlockWrite, type Account } from "./account.ts";
export { createUser, resendInvite } from "./create.ts";
export { asUser, toDirectoryRow, listUsers } from "./directory.ts";
export { mailGuessedCodes, mailTotpEnabled } from "./mails.ts";
export { mailForgottenPassword, resetPassword, setPasswordByLink, userWithPassword } from "./password-reset.ts";
export { verifyPassword } from "./password.ts";
export { saveUser } from "./save.ts";
export { confirmTotp, enrollTotp, totpStepOf, remainingRecoveryCodes, wrongTotpCode } from "./totp.ts";
export { updateUser } from "./update.ts";
