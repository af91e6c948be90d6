const idPattern = /^[A-Za-z0-9][A-Za-z0-9.-]{0,46}$/;

/** Ids as a client of an Epic server knows them: long, opaque, told apart by case. They say the sandbox's own id in another alphabet. */
export const epicIds = {
  encode: (id: string): string => (idPattern.test(id) ? `e${Buffer.from(id).toString("base64url").replaceAll("_", ".")}` : id),
  /** The sandbox's own ids are understood, too: people copy them from its page. */
  decode(id: string): string {
    const plain = Buffer.from(id.slice(1).replaceAll(".", "_"), "base64url").toString();
    return id.startsWith("e") && epicIds.encode(plain) === id ? plain : id;
  },
};
