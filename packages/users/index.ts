export { createUser, resendInvite } from "./create.ts";
export { confirmTotp, enrollTotp, wrongCode, stepOf, withoutRecoveryCode } from "./totp.ts";
export { mailForgottenPassword, setPasswordByLink, withPassword, resetPassword } from "./password-reset.ts";
export { listUsers, asUser, listed } from "./directory.ts";
export { locked, unlocked, isOpen, readAccount, readUser, tenantNameOf, type Account, unknownUserId } from "./account.ts";
export { passwordMatches } from "./password.ts";
export { saveUser } from "./save.ts";
export { updateUser } from "./update.ts";
export { mailCodesGuessed, mailTotpIsOn } from "./mails.ts";
