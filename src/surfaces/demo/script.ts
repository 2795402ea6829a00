import { createHash, randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { ServerScript } from "../../testing/index.ts";
import { VERSION } from "../../version.ts";

const text = (description: string): { type: string; description: string } => ({
  type: "string",
  description,
});
const readOnly = { readOnlyHint: true, openWorldHint: false };

/** The built-in demo server. Its tools work offline, so that the first run can show real results. */
export const demo: ServerScript = {
  name: "plugboard-demo",
  version: VERSION,
  instructions: "The demo server that is built into Plugboard. Its tools are harmless and work offline.",
  tools: {
    current_time: {
      title: "Current time",
      description: "Returns the current date and time in any time zone.",
      annotations: readOnly,
      inputSchema: {
        type: "object",
        properties: { timezone: text("An IANA time zone such as Europe/Paris. Default: UTC.") },
      },
      run({ timezone = "UTC" }) {
        const options = { dateStyle: "full", timeStyle: "long", timeZone: String(timezone) } as const;
        return new Intl.DateTimeFormat("en-GB", options).format(new Date());
      },
    },
    hash_text: {
      title: "Hash a text",
      description: "Returns the hash of a text in hexadecimal.",
      annotations: readOnly,
      inputSchema: {
        type: "object",
        properties: {
          text: text("The text to hash."),
          algorithm: {
            type: "string",
            enum: ["sha256", "sha1", "md5"],
            description: "Default: sha256.",
          },
        },
        required: ["text"],
      },
      run: ({ text: input, algorithm = "sha256" }) =>
        createHash(String(algorithm)).update(String(input)).digest("hex"),
    },
    text_stats: {
      title: "Text statistics",
      description: "Counts the lines, words and characters of a text.",
      annotations: readOnly,
      inputSchema: { type: "object", properties: { text: text("The text to count.") }, required: ["text"] },
      outputSchema: {
        type: "object",
        properties: {
          lines: { type: "integer" },
          words: { type: "integer" },
          characters: { type: "integer" },
        },
        required: ["lines", "words", "characters"],
      },
      run({ text: input }) {
        const given = String(input);
        const counted = {
          lines: given.split("\n").length,
          words: given.split(/\s+/).filter(Boolean).length,
          characters: [...given].length,
        };
        return { content: [{ type: "text", text: JSON.stringify(counted) }], structuredContent: counted };
      },
    },
    uuid: {
      title: "New UUID",
      description: "Generates one or more random UUIDs.",
      inputSchema: { type: "object", properties: { count: { type: "integer", minimum: 1, maximum: 100 } } },
      run: ({ count = 1 }) =>
        Array.from({ length: Math.min(100, Number(count)) }, () => randomUUID()).join("\n"),
    },
    countdown: {
      title: "Countdown",
      description: "Counts down seconds and reports progress. An example of a slow tool.",
      inputSchema: {
        type: "object",
        properties: { seconds: { type: "integer", minimum: 1, maximum: 60 } },
        required: ["seconds"],
      },
      async run({ seconds }, { progress, signal }) {
        const total = Math.min(60, Number(seconds));
        for (let passed = 1; passed <= total; passed += 1) {
          await sleep(1000, undefined, { signal });
          progress({ progress: passed, total, message: `${total - passed} s to go` });
        }
        return "Lift-off.";
      },
    },
  },
  resources: {
    "demo://welcome": {
      name: "Welcome",
      mimeType: "text/markdown",
      text: "# Welcome to Plugboard\n\nThis text is a resource of the demo server. Add your own servers and they appear beside it.\n",
    },
  },
  prompts: {
    explain: {
      description: "Asks for an explanation of a topic in plain words.",
      arguments: [{ name: "topic", required: true }],
      text: ({ topic }) => `Explain ${String(topic)} in plain words, with one example.`,
    },
  },
};
