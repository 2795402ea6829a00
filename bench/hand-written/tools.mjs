/** The minimum for `tools`: starts the given server, lists its tools, prints their names and closes the server. */
import { openPipe } from "./pipe-client.mjs";

const [command, ...args] = process.argv.slice(2);
const server = await openPipe({ command, args });
const { tools } = await server.listTools();
process.stdout.write(`${tools.map((tool) => tool.name).join("\n")}\n`);
await server.close();
