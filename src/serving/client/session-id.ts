import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";

const PREFIX = "pb1.";

/** Creates session ids that can be recognized without looking them up, so that forged ids cost nothing. */
export interface SessionIds {
  create(): string;
  isOurs(id: string): boolean;
}

/** `keys` returns the key for new ids, then earlier keys that are still valid. */
export function createSessionIds(keys: () => readonly Uint8Array[]): SessionIds {
  const tagOf = (random: string, key: Uint8Array | undefined): string =>
    createHmac("sha256", key ?? randomBytes(32))
      .update(random)
      .digest("base64url")
      .slice(0, 22);
  return {
    create() {
      const random = randomBytes(16).toString("base64url");
      return `${PREFIX}${random}.${tagOf(random, keys()[0])}`;
    },
    isOurs(id) {
      const [, random, tag] = /^pb1\.([\w-]{22})\.([\w-]{22})$/.exec(id) ?? [];
      if (random === undefined || tag === undefined) return false;
      return keys().some((key) => timingSafeEqual(Buffer.from(tag), Buffer.from(tagOf(random, key))));
    },
  };
}
