import { table } from "../../docs/reference/tables.ts";
import { type Driver, SCENARIOS, type ScenarioName } from "./driver.ts";

type Facts = Omit<Driver, "run">;

const BEGIN = "<!-- scenarios: begin -->\n";
const END = "<!-- scenarios: end -->\n";
const MANY = 200;

/** Returns the page with the table of these adapters. */
export function pageWithTable(page: string, adapters: readonly Facts[]): string {
  const [before, rest = ""] = page.split(BEGIN);
  const [, after] = rest.split(END);
  return `${before}${BEGIN}\n${scenarioTable(adapters)}\n\n${notes(adapters)}\n\n${END}${after}`;
}

function scenarioTable(adapters: readonly Facts[]): string {
  const rows = adapters.map((adapter) => [
    adapter.name,
    ...SCENARIOS.map((scenario) => cell(adapter, scenario)),
  ]);
  return table(["", ...SCENARIOS], rows);
}

function cell(adapter: Facts, scenario: ScenarioName): string {
  if (adapter.notApplicable?.[scenario] !== undefined) return "n/a";
  if (scenario === "approval") return adapter.asks === "sdk" ? "SDK" : "`onCall`";
  if (scenario === "live change") return adapter.follows;
  if (scenario === "200 tools" && (adapter.mostTools ?? MANY) < MANY) return "search";
  return "✓";
}

function notes(adapters: readonly Facts[]): string {
  return [
    "- **approval**: who asks a person about a call that requires approval: the SDK, or the host's `onCall`.",
    "- **live change**: when a tool that a server adds is offered.",
    '- **200 tools**: `search` is a session with `mode: "meta"`, because OpenAI accepts at most 128 tools in a request.',
    ...adapters.flatMap(({ name, notApplicable = {} }) =>
      Object.entries(notApplicable).map(
        ([scenario, reason]) => `- **n/a**: ${name}, ${scenario}: ${reason}.`,
      ),
    ),
  ].join("\n");
}
