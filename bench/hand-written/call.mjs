/** `call` with nothing around it: starts the server given as arguments, calls `echo`, prints the text, closes it. */
import { openPipe } from "./pipe-client.mjs";

const [command, ...args] = process.argv.slice(2);
const server = await openPipe({ command, args });
const { content } = await server.callTool("echo", { text: "hi" });
process.stdout.write(`${content[0].text}\n`);
await server.close();
