import type { Host, HostConfig } from "../../../index.ts";
import { safeLine, safeText } from "../../../terminal.ts";
import { count } from "../../shared/render/server-list.ts";
import type { Style } from "../../shared/render/style.ts";
import type { Answer, Dialogs } from "../dialogs.ts";
import { splitLine } from "../split-line.ts";
import { draftEntry, withScheme } from "./draft-entry.ts";
import type { Draft, Step, WizardEvent, WizardState } from "./wizard-state.ts";

export interface WizardContext {
  readonly dialogs: Dialogs;
  readonly style: Style;
  readonly host: Pick<Host, "servers"> & { readonly config: Pick<HostConfig, "checkName"> };
  /** Returns whether the environment variable is set. */
  hasVariable(name: string): boolean;
  readonly signal: AbortSignal;
}

/** Asks one step and converts the answer to a wizard event. */
export async function askStep(
  step: Exclude<Step, "test">,
  state: WizardState,
  context: WizardContext,
): Promise<WizardEvent> {
  const { draft, trail } = state;
  const { dialogs, signal } = context;
  const common = { canGoBack: trail.length > 0, signal };
  const text = async (field: TextField, question: Omit<Parameters<Dialogs["askText"]>[0], "initial">) =>
    toEvent(
      await dialogs.askText({ ...common, ...question, initial: draft[field] || suggestion(field, draft) }),
      (value) => answer({ [field]: field === "key" ? value : value.trim() }),
    );
  switch (step) {
    case "name":
      return text("name", {
        title: "What is the server's name?",
        example: "files",
        check: (value) => checkName(value.trim(), context),
      });
    case "transport":
      return toEvent(
        await dialogs.choose({
          ...common,
          title: "How do you connect?",
          choices: [
            { value: "stdio", label: "A program on this machine", note: "stdio" },
            { value: "http", label: "URL", note: "Streamable HTTP" },
            { value: "sse", label: "URL (legacy SSE)", note: "HTTP+SSE" },
          ] as const,
          initial: draft.transport,
        }),
        (transport) => answer({ transport }),
      );
    case "command":
      return text("command", {
        title: "Which command starts the server?",
        lines: ["Quotes and backslashes work as in a shell. Other shell syntax is not supported."],
        example: "npx -y @modelcontextprotocol/server-filesystem .",
        check: checkCommand,
      });
    case "url":
      return text("url", {
        title: "What is the server's URL?",
        example: "https://mcp.example.com/mcp",
        check: checkUrl,
      });
    case "access":
      return askAccess(state, context);
    case "keyName":
      return text("keyName", {
        title:
          draft.transport === "stdio"
            ? "Which environment variable does the server read the key from?"
            : "Which header carries the key?",
        ...(draft.transport !== "stdio" && { lines: ["Authorization is sent as Bearer <key>."] }),
        check: (value) => checkKeyName(value.trim(), draft),
      });
    case "keySource":
      return toEvent(
        await dialogs.choose({
          ...common,
          title: "Where should the key be stored?",
          choices: [
            {
              value: "vault",
              label: "In Plugboard's vault",
              note: "you enter it once; the config file only refers to it",
            },
            { value: "variable", label: "In an environment variable", note: "you set it yourself" },
          ] as const,
          initial: draft.keySource,
        }),
        (keySource) => answer({ keySource }),
      );
    case "key":
      return text("key", {
        title: "Enter the key",
        lines: ["The key is hidden as you type, and stored when you add the server."],
        isHidden: true,
        check: (value) => (value.trim() === "" ? "Type or paste the key." : undefined),
      });
    case "variable":
      return text("variable", {
        title: "Which variable holds the key?",
        check: (value) => checkVariable(value.trim(), context),
      });
    case "scope":
      return toEvent(
        await dialogs.choose({
          ...common,
          title: "Where should it be saved?",
          lines: [describeTrial(state.trial, context.style)], // the test ran just before this step
          choices: [
            {
              value: "project",
              label: "This project",
              note: ".plugboard/mcp.json, shared with the project",
            },
            { value: "user", label: "Your user config", note: "~/.plugboard/mcp.json, for all projects" },
          ] as const,
          initial: draft.scope,
        }),
        (scope) => answer({ scope }),
      );
    case "summary":
      return askSummary(state, context);
  }
}

type TextField = "name" | "command" | "url" | "keyName" | "key" | "variable";

function suggestion(field: TextField, { transport, name, keyName }: Draft): string {
  const toVariableName = (text: string): string =>
    text
      .toUpperCase()
      .replace(/[^A-Z0-9]+/g, "_")
      .replace(/^(?=\d)/, "_");
  if (field === "keyName") return transport === "stdio" ? `${toVariableName(name)}_API_KEY` : "Authorization";
  if (field !== "variable") return "";
  return transport === "stdio" ? keyName : `${toVariableName(name)}_TOKEN`;
}

async function askAccess(
  { draft, trial, trail }: WizardState,
  { dialogs, style, signal }: WizardContext,
): Promise<WizardEvent> {
  const isRemote = draft.transport !== "stdio";
  const message = trial === undefined || trial.kind === "works" ? "" : trial.message;
  const hint = trial === undefined || trial.kind === "works" ? undefined : trial.hint;
  const given = await dialogs.choose({
    title: trial?.kind === "signIn" ? "The server requires authentication." : "Could not connect.",
    lines: [
      ...safeText(message).split("\n").map(style.warn),
      ...(hint === undefined ? [] : safeText(hint).split("\n").map(style.dim)),
    ],
    choices: [
      ...(isRemote
        ? [{ value: "signIn" as const, label: "Sign in", note: "in the browser, after the server is added" }]
        : []),
      {
        value: "key" as const,
        label: "Set a key",
        note: isRemote ? "sent as a header" : "as an environment variable",
      },
      { value: "again" as const, label: "Try again" },
      { value: "change" as const, label: isRemote ? "Change the URL" : "Change the command" },
      { value: "on" as const, label: "Continue anyway" },
      ...(draft.access === "key" ? [{ value: "none" as const, label: "Continue without the key" }] : []),
    ],
    initial: trial?.kind === "signIn" ? ("signIn" as const) : ("again" as const),
    canGoBack: trail.length > 0,
    signal,
  });
  return toEvent<AccessChoice>(given, (value) => {
    if (value === "again") return { kind: "jump", to: "test" };
    if (value === "change") return { kind: "jump", to: isRemote ? "url" : "command" };
    if (value === "on" && draft.access === "key") return { kind: "jump", to: "scope" };
    return answer({ access: value === "on" ? "none" : value });
  });
}

type AccessChoice = "signIn" | "key" | "again" | "change" | "on" | "none";

function describeTrial(trial: WizardState["trial"], style: Style): string {
  return trial?.kind === "works"
    ? style.good(`✓ Connected: ${safeLine(trial.server)}, ${count(trial.tools.length, "tool")}`)
    : style.warn("! The connection has not been tested successfully.");
}

async function askSummary(
  { draft, trial, trail }: WizardState,
  { dialogs, style, signal }: WizardContext,
): Promise<WizardEvent> {
  const given = await dialogs.choose({
    title: `Add "${safeLine(draft.name)}"?`,
    lines: [...summaryOf(draft, style), describeTrial(trial, style)],
    choices: [
      { value: "add", label: "Add it", note: "this also approves the server", key: "a" },
      { value: "key", label: draft.access === "key" ? "Change the key" : "Set a key", key: "k" },
    ] as const,
    canGoBack: trail.length > 0,
    signal,
  });
  return toEvent(given, (value) =>
    value === "add" ? answer({}) : { kind: "jump", to: "keyName", draft: { access: "key" } },
  );
}

/** Renders the complete entry that would be written. */
function summaryOf(draft: Draft, style: Style): string[] {
  const secret = draft.keySource === "vault" ? "keychain:…" : `\${${draft.variable}}`;
  return [
    `${style.dim("scope".padEnd(10))}${draft.scope}`,
    ...Object.entries(draftEntry(draft, secret)).map(
      ([field, value]) =>
        `${style.dim(field.padEnd(10))}${safeLine(typeof value === "string" ? value : JSON.stringify(value))}`,
    ),
    ...(draft.access === "signIn"
      ? [`${style.dim("sign-in".padEnd(10))}in the browser, after the server is added`]
      : []),
  ];
}

function answer(draft: Partial<Draft>): WizardEvent {
  return { kind: "answer", draft };
}

function toEvent<T>(given: Answer<T>, then: (value: T) => WizardEvent): WizardEvent {
  return given.kind === "value" ? then(given.value) : { kind: given.kind };
}

function checkName(name: string, { host }: WizardContext): string | undefined {
  const wrong = host.config.checkName(name);
  if (wrong !== undefined) return wrong;
  const own = host.servers().find((server) => server.name === name && server.source.tool === "plugboard");
  return own && `Server "${name}" already exists in ${own.source.file}`;
}

function checkCommand(line: string): string | undefined {
  const { words, unfinished } = splitLine(line);
  if (unfinished !== undefined)
    return unfinished === "\\" ? "The command ends with a backslash." : `Unclosed quote: ${unfinished}`;
  return (words[0]?.text ?? "") === "" ? "Enter the command that starts the server." : undefined;
}

function checkUrl(url: string): string | undefined {
  if (url.trim() === "") return "Enter the server's URL.";
  const whole = withScheme(url);
  const isWeb = URL.canParse(whole) && /^https?:$/.test(new URL(whole).protocol);
  return isWeb ? undefined : "Enter an http or https URL.";
}

function checkKeyName(name: string, { transport }: Draft): string | undefined {
  if (transport === "stdio")
    return /^[A-Za-z_]\w*$/.test(name)
      ? undefined
      : "Use letters, digits and underscores. Do not start with a digit.";
  return /^[\w!#$%&'*+.^`|~-]+$/.test(name) ? undefined : "Invalid header name.";
}

function checkVariable(name: string, { hasVariable }: WizardContext): string | undefined {
  if (!/^[A-Za-z_]\w*$/.test(name)) return "Use letters, digits and underscores. Do not start with a digit.";
  return hasVariable(name)
    ? undefined
    : `$${name} is not set. Set it and restart Plugboard, or choose another variable.`;
}
