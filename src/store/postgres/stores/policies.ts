import type { PolicyStore, PolicyVersion } from "../../team-records.ts";
import type { Database } from "../database.ts";
import { fromJson, raise, storable } from "../rows.ts";

interface Row {
  readonly revision: string;
  readonly document: string;
  readonly author: string;
  readonly created_at: Date;
}

const COLUMNS = "revision, document, author, created_at";
const DEFAULT_LIMIT = 20;

const toVersion = ({ revision, document, author, created_at: createdAt }: Row): PolicyVersion => ({
  revision: Number(revision),
  document: fromJson(document),
  author,
  createdAt: createdAt.getTime(),
});

export function createPolicies({ query, transaction }: Pick<Database, "query" | "transaction">): PolicyStore {
  const newest = async (limit: number): Promise<readonly PolicyVersion[]> => {
    const { rows } = await query<Row>(
      `SELECT ${COLUMNS} FROM plugboard.policies ORDER BY revision DESC LIMIT $1`,
      [limit],
    );
    return rows.map(toVersion);
  };
  return {
    current: async () => (await newest(1))[0],
    list: (limit = DEFAULT_LIMIT) => newest(limit),
    add: (document, author, revision) =>
      transaction(async (query) => {
        const { rows } = await query<Row>(
          `INSERT INTO plugboard.policies (revision, document, author)
          SELECT $1 + 1, $2, $3 WHERE coalesce((SELECT max(revision) FROM plugboard.policies), 0) = $1
          ON CONFLICT (revision) DO NOTHING RETURNING ${COLUMNS}`,
          [revision ?? 0, JSON.stringify(document), storable(author)],
        );
        if (rows[0] === undefined) return undefined;
        await raise(query, "policy", "");
        return toVersion(rows[0]);
      }),
  };
}
