/** A minimal program that uses the library and handles no signals. Argument: the tool of server `s` to call. */
import { createHost } from "../../dist/index.js";

const [tool] = process.argv.slice(2);
const host = await createHost();
const { text } = await host.call("s", tool);
await host.close();
console.log(text);
