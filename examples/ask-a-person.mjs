import { createInterface } from "node:readline/promises";
import { createHost } from "plugboard";
import { safeText } from "plugboard/terminal";

async function ask(question) {
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const answer = await terminal.question(`${safeText(question)} [y/N] `);
  terminal.close();
  return answer === "y";
}

const host = await createHost({
  onApproval: ({ server, source, launch }) =>
    ask(`Allow ${server} from ${source.file} to run ${JSON.stringify(launch)}?`),
  onCall: ({ server, tool, args, rule }) =>
    ask(`Allow ${server} to run ${tool} with ${JSON.stringify(args)}? Rule: ${rule}`),
});
try {
  const result = await host.call("notes", "search", { query: "tea" });
  console.log(result.text);
} finally {
  await host.close();
}
