import { randomUUID } from "node:crypto";
import type { Clock } from "../../platform/index.ts";
import type { AccessToken, TokenStore } from "../team-records.ts";
import type { ListFile } from "./list-file.ts";

const MINUTE_MS = 60_000;

/** A token, with the SHA-256 of its text. */
export interface HashedToken extends AccessToken {
  readonly hash: string;
}

/** Keeps tokens in a file. */
export function createFileTokens(file: ListFile<HashedToken>, clock: Clock): TokenStore {
  return {
    async create(token, hash) {
      const created = { ...token, id: randomUUID(), createdAt: clock.now() };
      await file.update((tokens) => [...tokens, { ...created, hash: hex(hash) }]);
      return created;
    },
    async find(hash) {
      const found = (await file.read()).find((token) => token.hash === hex(hash));
      return found && withoutHash(found);
    },
    async list(person) {
      const tokens = (await file.read()).filter((token) => person === undefined || token.person === person);
      return tokens.toSorted((left, right) => right.createdAt - left.createdAt).map(withoutHash);
    },
    async revoke(id) {
      let isRevoked = false;
      await file.update((tokens) => {
        isRevoked = tokens.some((token) => token.id === id && token.revokedAt === undefined);
        if (!isRevoked) return tokens;
        return tokens.map((token) => (token.id === id ? { ...token, revokedAt: clock.now() } : token));
      });
      return isRevoked;
    },
    async used(ids) {
      const now = clock.now() - (clock.now() % MINUTE_MS);
      await file.update((tokens) =>
        tokens.some((token) => ids.includes(token.id) && token.usedAt !== now)
          ? tokens.map((token) => (ids.includes(token.id) ? { ...token, usedAt: now } : token))
          : tokens,
      );
    },
  };
}

function withoutHash({ hash: _, ...token }: HashedToken): AccessToken {
  return token;
}

function hex(hash: Uint8Array): string {
  return Buffer.from(hash).toString("hex");
}
