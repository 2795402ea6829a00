import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";

const PREFIX = "pb1.";

/** Creates session ids that can be recognized without looking them up, so that invented ids cost nothing. */
export interface SessionIds {
  create(): string;
  isOurs(id: string): boolean;
}

export function createSessionIds(key: Uint8Array = randomBytes(32)): SessionIds {
  const tagOf = (random: string): string =>
    createHmac("sha256", key).update(random).digest("base64url").slice(0, 22);
  return {
    create() {
      const random = randomBytes(16).toString("base64url");
      return `${PREFIX}${random}.${tagOf(random)}`;
    },
    isOurs(id) {
      const [, random, tag] = /^pb1\.([\w-]{22})\.([\w-]{22})$/.exec(id) ?? [];
      if (random === undefined || tag === undefined) return false;
      return timingSafeEqual(Buffer.from(tag), Buffer.from(tagOf(random)));
    },
  };
}
