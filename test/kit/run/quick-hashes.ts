import crypto from "node:crypto";
import { syncBuiltinESMExports } from "node:module";

/** Password hashes take half a second by intention; here the same algorithm runs at its least cost, whatever cost the hash names. */
const { argon2 } = crypto;
const isQuick = Symbol.for("vitaline.quick-hashes");
if (!(isQuick in argon2)) {
  crypto.argon2 = Object.assign(
    (...[algorithm, parameters, callback]: Parameters<typeof argon2>) =>
      argon2(algorithm, { ...parameters, memory: 64, passes: 1 }, callback),
    { [isQuick]: true },
  );
  syncBuiltinESMExports();
}
