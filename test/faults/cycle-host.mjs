/** A program around the library, as plain as programs are: it handles no signals. Argument: the tool of server `s` to call. */
import { createHost } from "../../dist/index.js";

const [tool] = process.argv.slice(2);
const host = await createHost();
const { text } = await host.call("s", tool);
await host.close();
console.log(text);
