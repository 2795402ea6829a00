import type { Host, HostOptions } from "../../../index.ts";
import { safeLine } from "../../../terminal.ts";
import type { CommandContext } from "../../shared/command.ts";
import { printAdded } from "../../shared/commands/add.ts";
import type { Screen } from "../screen.ts";
import { write } from "./add-command.ts";
import { draftEntry } from "./draft-entry.ts";
import { freeSecretName } from "./free-secret-name.ts";
import type { ServerChanges } from "./server-changes.ts";
import { tryServer } from "./try-server.ts";
import { askStep, type WizardContext } from "./wizard-questions.ts";
import { advance, beginWizard, type Draft, type Trial, type WizardState } from "./wizard-state.ts";

export interface WizardOptions {
  readonly host: Host;
  readonly screen: Screen;
  readonly changes: ServerChanges;
  readonly hostOptions: HostOptions;
}

/** Creates the wizard of `/mcp add`. After a cancel, the next run starts with the previous answers. */
export function createWizard({
  host,
  screen,
  changes,
  hostOptions,
}: WizardOptions): (context: CommandContext) => Promise<void> {
  let cancelledDraft: Draft | undefined;
  const variables = hostOptions.env ?? process.env;
  return async (context) => {
    const wizard: WizardContext = {
      dialogs: screen.dialogs,
      style: screen.style,
      host,
      hasVariable: (name) => (variables[name] ?? "") !== "",
      signal: context.signal,
    };
    const ended = await runWizard(beginWizard(cancelledDraft), wizard, (draft) =>
      watchTrial(screen, draft, hostOptions),
    );
    cancelledDraft = ended.step === "done" ? undefined : ended.draft;
    if (ended.step === "done") await finish(ended.draft, context);
    else screen.print(screen.style.dim("Cancelled. /mcp add continues where you left off."));
  };

  /** Stores the key and writes the entry. */
  async function finish(draft: Draft, context: CommandContext): Promise<void> {
    const report = await changes.look();
    const isStored = draft.access === "key" && draft.keySource === "vault";
    const secretName = isStored ? await freeSecretName(host, draft.name) : "";
    if (isStored) await host.secrets.store(secretName, draft.key.trim());
    const server = draftEntry(draft, isStored ? `keychain:${secretName}` : `\${${draft.variable}}`);
    const { name, scope } = draft;
    const written = await write(host, { name, server, scope }).catch(async (error: unknown) => {
      if (isStored) await host.secrets.remove(secretName);
      cancelledDraft = draft;
      throw error;
    });
    printAdded(context, written, []);
    report({ added: name });
  }
}

/** Asks step by step until the user finishes or cancels. Writes nothing. */
export async function runWizard(
  begun: WizardState,
  context: WizardContext,
  attempt: (draft: Draft) => Promise<Trial>,
): Promise<WizardState> {
  let state = begun;
  while (state.step !== "done" && state.step !== "left") {
    const { step } = state;
    const event =
      step === "test"
        ? ({ kind: "tried", trial: state.trial ?? (await attempt(state.draft)) } as const)
        : await askStep(step, state, context);
    state = advance(state, event);
  }
  return state;
}

/** Shows the running test. Esc cancels the test, not the wizard. */
async function watchTrial(screen: Screen, draft: Draft, hostOptions: HostOptions): Promise<Trial> {
  const stopTrial = new AbortController();
  const trial = tryServer(draft, hostOptions, stopTrial.signal);
  const name = safeLine(draft.name);
  // A question with one choice, shown until the test ends, so that Esc can cancel it.
  const shown = new AbortController();
  const asking = screen.dialogs
    .choose({
      title: `Testing connection to "${name}"... (esc to cancel)`,
      choices: [{ value: "stop" as const, label: "Stop" }],
      signal: shown.signal,
    })
    .then(() => stopTrial.abort());
  try {
    return await trial;
  } finally {
    shown.abort();
    await asking;
  }
}
