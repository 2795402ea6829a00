/** A database with the tokens of one user. */
import { DatabaseSync } from "node:sqlite";

export const database = new DatabaseSync(":memory:");
database.exec("CREATE TABLE tokens (user TEXT PRIMARY KEY, value TEXT)");
const tokens = { access_token: "own-token", token_type: "Bearer" };
database.prepare("INSERT INTO tokens VALUES ('ann', ?)").run(JSON.stringify(tokens));
