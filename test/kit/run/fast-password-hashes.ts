import crypto from "node:crypto";
import { syncBuiltinESMExports } from "node:module";

/** Runs the password hash at its lowest cost, independent of the cost in the stored hash. */
const { argon2 } = crypto;
const isQuick = Symbol.for("vitaline.fast-password-hashes");
if (!(isQuick in argon2)) {
  crypto.argon2 = Object.assign(
    (...[algorithm, parameters, callback]: Parameters<typeof argon2>) =>
      argon2(algorithm, { ...parameters, memory: 64, passes: 1 }, callback),
    { [isQuick]: true },
  );
  syncBuiltinESMExports();
}
