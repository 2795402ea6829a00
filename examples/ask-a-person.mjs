import { createInterface } from "node:readline/promises";
import { createHost } from "plugboard";
import { safeText } from "plugboard/terminal";

async function ask(question) {
  const person = createInterface({ input: process.stdin, output: process.stdout });
  const answer = await person.question(`${safeText(question)} [y/N] `);
  person.close();
  return answer === "y";
}

const host = await createHost({
  interaction: "ask",
  onApproval: ({ server, source, launch }) =>
    ask(`${server} of ${source.file} wants to run ${JSON.stringify(launch)}. May it?`),
  onCall: ({ server, tool, args, rule }) =>
    ask(`${rule}: may ${tool} of ${server} be called with ${JSON.stringify(args)}?`),
});
try {
  const result = await host.call("notes", "search", { query: "tea" });
  console.log(result.text);
} finally {
  await host.close();
}
