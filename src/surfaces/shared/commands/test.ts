import type { Command } from "../command.ts";
import { renderTest } from "../render/test-report.ts";
import { TIMEOUT_FLAG } from "../time-limit.ts";
import { TYPED_SERVER_FLAGS, TYPED_SERVER_NOTE } from "../typed-server-flags.ts";

export const test: Command = {
  name: "test",
  summary: "Open a new connection to a server and report what it offers, or why it fails.",
  parameters: "<server>",
  words: { least: 1, most: 1 },
  notes: [TYPED_SERVER_NOTE],
  flags: { ...TYPED_SERVER_FLAGS, ...TIMEOUT_FLAG },
  takesRest: true,
  takesTypedServer: true,
  examples: ["plugboard test demo", "plugboard test --url https://mcp.example.com/mcp"],
  async run({ words: [server = ""], openHost, json, printJson, terminal, style }) {
    const host = await openHost({ demo: server === "demo" });
    if (!json && terminal.errIsTty())
      terminal.err(style.dim(`Testing connection to "${server}"... (${terminal.cancelKey} to cancel)\n`));
    const report = await host.doctor.test(server);
    // Missing values were already reported when the server started.
    const problems = report.problems.filter(({ code }) => !code.startsWith("value-"));
    if (json) printJson(report);
    else terminal.out(renderTest({ ...report, problems }, style));
    return 0;
  },
};
