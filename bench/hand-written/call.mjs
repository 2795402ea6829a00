/** The minimum for `call`: starts the given server, calls `echo`, prints the text and closes the server. */
import { openPipe } from "./pipe-client.mjs";

const [command, ...args] = process.argv.slice(2);
const server = await openPipe({ command, args });
const { content } = await server.callTool("echo", { text: "hi" });
process.stdout.write(`${content[0].text}\n`);
await server.close();
