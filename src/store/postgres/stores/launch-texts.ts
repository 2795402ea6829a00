import { createHash } from "node:crypto";
import type { Approval, ApprovalStore, CatalogStore, LaunchKey, PinStore } from "../../../state/index.ts";
import type { Database } from "../database.ts";
import { digest, fromJson, raise } from "../rows.ts";
import type { RecentReads } from "./recent-reads.ts";

interface Body {
  readonly body: Buffer;
}

const nameOf = ({ principal, fingerprint }: LaunchKey): string =>
  `pin ${JSON.stringify([principal, fingerprint])}`;

/** Approvals of launches. They contain no secrets, because launches are masked before they are stored. */
export function createApprovals(
  { query, transaction }: Pick<Database, "query" | "transaction">,
  reads: RecentReads,
): ApprovalStore {
  const idOf = (principal: string, { file, server }: Pick<Approval, "file" | "server">): Buffer =>
    digest(principal, file, server);
  const listName = (principal: string): string => `approvals ${JSON.stringify(principal)}`;
  return {
    list: (principal) =>
      reads.read(listName(principal), async () => {
        const { rows } = await query<{ approval: string }>(
          "SELECT approval FROM plugboard.approvals WHERE person = $1 ORDER BY created_at, id",
          [principal],
        );
        return rows.map(({ approval }) => fromJson(approval) as unknown as Approval);
      }),
    async add(principal, approvals) {
      if (approvals.length === 0) return;
      await transaction(async (query) => {
        for (const approval of approvals)
          await query(
            `INSERT INTO plugboard.approvals (id, person, approval) VALUES ($1, $2, $3)
            ON CONFLICT (id) DO UPDATE SET approval = excluded.approval`,
            [idOf(principal, approval), principal, JSON.stringify(approval)],
          );
        await raise(query, "approvals", principal);
      });
      reads.drop(listName(principal));
    },
    async remove(principal, approvals) {
      if (approvals.length === 0) return;
      await transaction(async (query) => {
        const ids = approvals.map((approval) => idOf(principal, approval));
        await query("DELETE FROM plugboard.approvals WHERE id = ANY($1)", [ids]);
        await raise(query, "approvals", principal);
      });
      reads.drop(listName(principal));
    },
  };
}

/** Reviewed tool definitions. */
export function createPins({ query }: Pick<Database, "query">, reads: RecentReads): PinStore {
  return {
    get: (key) =>
      reads.read(nameOf(key), async () => {
        const { rows } = await query<Body>(
          "SELECT body FROM plugboard.pins WHERE person = $1 AND fingerprint = $2",
          [key.principal, key.fingerprint],
        );
        return rows[0]?.body;
      }),
    async set(key, text, how) {
      await query(
        `INSERT INTO plugboard.pins (person, fingerprint, body) VALUES ($1, $2, $3)
        ON CONFLICT (person, fingerprint) DO ${how === "first" ? "NOTHING" : "UPDATE SET body = excluded.body, written_at = now()"}`,
        [key.principal, key.fingerprint, Buffer.from(text)],
      );
      reads.drop(nameOf(key));
    },
  };
}

/** Cached lists. Equal lists are stored once. */
export function createCatalogs({
  query,
  transaction,
}: Pick<Database, "query" | "transaction">): CatalogStore {
  return {
    async get(key) {
      const { rows } = await query<Body>(
        `SELECT body FROM plugboard.catalogs JOIN plugboard.catalog_bodies USING (hash)
        WHERE person = $1 AND fingerprint = $2`,
        [key.principal, key.fingerprint],
      );
      return rows[0]?.body;
    },
    async set(key, text) {
      const body = Buffer.from(text);
      const hash = createHash("sha256").update(body).digest();
      await transaction(async (query) => {
        // `created_at` prevents cleanup from removing a new body before a list refers to it.
        const { count } = await query(
          "UPDATE plugboard.catalog_bodies SET created_at = now() WHERE hash = $1",
          [hash],
        );
        if (count === 0)
          await query(
            "INSERT INTO plugboard.catalog_bodies (hash, body) VALUES ($1, $2) ON CONFLICT (hash) DO UPDATE SET created_at = now()",
            [hash, body],
          );
        const changed = await query(
          `INSERT INTO plugboard.catalogs AS known (person, fingerprint, hash) VALUES ($1, $2, $3)
          ON CONFLICT (person, fingerprint) DO UPDATE SET hash = excluded.hash, written_at = now() WHERE known.hash <> excluded.hash`,
          [key.principal, key.fingerprint, hash],
        );
        if (changed.count > 0) await raise(query, "catalog", key.fingerprint);
      });
    },
    async remove(key) {
      await query("DELETE FROM plugboard.catalogs WHERE person = $1 AND fingerprint = $2", [
        key.principal,
        key.fingerprint,
      ]);
    },
  };
}
