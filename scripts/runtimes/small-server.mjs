/** A server for the tests of the installed package. It is copied beside the package and uses it. */
import { serveLines } from "plugboard/testing";

const script = {
  name: "small",
  version: "1.0.0",
  tools: {
    add: {
      description: "Adds two numbers.",
      inputSchema: {
        type: "object",
        properties: { a: { type: "number" }, b: { type: "number" } },
        required: ["a", "b"],
      },
      run: ({ a, b }) => `The sum is ${a + b}.`,
    },
  },
};

await serveLines(script, process.stdin, process.stdout);
