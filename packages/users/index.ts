export { isOpen, locked, readAccount, readUser, tenantNameOf, unknownUserId, unlocked, type Account } from "./account.ts";
export { createUser, resendInvite } from "./create.ts";
export { asUser, listed, listUsers } from "./directory.ts";
export { mailCodesGuessed, mailTotpIsOn } from "./mails.ts";
export { mailForgottenPassword, resetPassword, setPasswordByLink, withPassword } from "./password-reset.ts";
export { passwordMatches } from "./password.ts";
export { saveUser } from "./save.ts";
export { confirmTotp, enrollTotp, stepOf, withoutRecoveryCode, wrongCode } from "./totp.ts";
export { updateUser } from "./update.ts";
