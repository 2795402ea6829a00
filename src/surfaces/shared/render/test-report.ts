import type { ServerTest } from "../../../index.ts";
import { safeLine } from "../../../terminal.ts";
import { count } from "./server-list.ts";
import type { Style } from "./style.ts";

const NAMES_SHOWN = 10;

/** Renders the result of `plugboard test`. */
export function renderTest(test: ServerTest, style: Style): string {
  const { facts, tools, steps } = test;
  const name =
    facts.name === undefined
      ? "(unnamed)"
      : `${safeLine(facts.name)}${facts.version === undefined ? "" : ` v${safeLine(facts.version)}`}`;
  const { started } = test;
  const lines: [string, string][] = [
    ["Server", name],
    ...(started === undefined
      ? []
      : [["Started", safeLine([started.command, ...started.args].join(" "))] satisfies [string, string]]),
    ["Protocol", `${facts.protocolVersion} (${facts.era} era) over ${facts.transport}`],
    ["Offers", facts.capabilities.length === 0 ? "nothing" : facts.capabilities.map(safeLine).join(", ")],
    [
      "Tools",
      tools.length > 0 && tools.length <= NAMES_SHOWN
        ? `${tools.length} (${tools.map(safeLine).join(", ")})`
        : String(tools.length),
    ],
    [
      "Resources",
      `${test.resources}${test.resourceTemplates === 0 ? "" : `, ${count(test.resourceTemplates, "template")}`}`,
    ],
    ["Prompts", String(test.prompts)],
    ["Time", steps.map(({ step, ms }) => `${step} ${ms} ms`).join(", ")],
  ];
  return [
    `${style.good("✓")} Successfully connected to "${safeLine(test.server)}"`,
    ...lines.map(([label, value]) => `  ${style.dim(`${label}:`)} ${value}`),
    ...test.problems.map(({ message }) => `  ${style.warn("!")} ${safeLine(message)}`),
    ...(test.problems.length > 0 ? [`  ${style.dim(count(test.problems.length, "problem"))}`] : []),
    "",
  ].join("\n");
}
