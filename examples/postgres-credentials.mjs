import pg from "pg";

const MINE = "FROM credentials WHERE principal = $1 AND namespace = $2";
const SCHEMA = `SELECT pg_advisory_xact_lock(1); -- for processes that start at the same time
  CREATE TABLE IF NOT EXISTS credentials (principal text, namespace text, key text, value text,
  generation uuid DEFAULT gen_random_uuid(), PRIMARY KEY (principal, namespace, key))`;
const INSERT = "INSERT INTO credentials VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING";
const UPDATE = `UPDATE credentials SET value = $4, generation = DEFAULT
  WHERE principal = $1 AND namespace = $2 AND key = $3 AND generation = $5`;

const warn = ({ message }) => console.error(`PostgreSQL: ${message}`);

/** Keeps sign-ins in PostgreSQL. Encrypt `value` if others can read the database. */
export async function postgresCredentials(connectionString) {
  const open = () => new pg.Pool({ connectionString }).on("error", warn);
  const [pool, locks] = [open(), open()]; // exclusive sections use the other pool
  await pool.query(SCHEMA);
  const query = (sql, { principal, namespace, key }, ...more) =>
    pool.query(sql, [principal, namespace, key, ...more]);
  const parse = (row) => row && { ...row, value: JSON.parse(row.value) };
  return {
    get: async (key) => parse((await query(`SELECT value, generation ${MINE} AND key = $3`, key)).rows[0]),
    async set(key, value, generation) {
      const more = generation === undefined ? [] : [generation];
      const sql = generation === undefined ? INSERT : UPDATE;
      return (await query(sql, key, JSON.stringify(value), ...more)).rowCount === 1;
    },
    remove: async (key) => (await query(`DELETE ${MINE} AND key = $3`, key)).rowCount === 1,
    list: async (...owner) =>
      (await pool.query(`SELECT key, value, generation ${MINE}`, owner)).rows.map(parse),
    async exclusively({ principal, namespace, key }, action) {
      const client = (await locks.connect()).on("error", warn);
      try {
        const id = JSON.stringify([principal, namespace, key]);
        await client.query("SELECT pg_advisory_lock(hashtextextended($1, 0))", [id]);
        return await action({ assertHeld: () => client.query("SELECT 1") });
      } finally {
        client.release(true); // ends the connection, which releases the lock
      }
    },
    close: () => Promise.all([pool.end(), locks.end()]),
  };
}
