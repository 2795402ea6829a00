import type { InputRequest, InputsRequest } from "../../../index.ts";
import { safeLine } from "../../../terminal.ts";
import type { DisplayContext } from "../render/place.ts";
import type { Style } from "../render/style.ts";
import type { Terminal } from "../terminal.ts";
import { describeInput, describeInputs, isHidden, optionsOf } from "./describe-inputs.ts";

/** Asks for a server's inputs on the terminal, one line each. An empty line takes the default; without one, it cancels. */
export async function askInputs(
  terminal: Terminal,
  style: Style,
  display: DisplayContext,
  { request, signal }: { readonly request: InputsRequest; readonly signal: AbortSignal },
): Promise<Readonly<Record<string, string>> | undefined> {
  terminal.err(`${style.warn("!")} ${describeInputs(request, display)}\n`);
  const answers: Record<string, string> = {};
  for (const input of request.inputs) {
    const text = await askInput(terminal, input, signal);
    if (text === undefined) return undefined;
    answers[input.id] = text;
  }
  return answers;
}

/** Asks for one input until the answer is one of its options, if it has any. */
export async function askInput(
  terminal: Pick<Terminal, "err" | "readHidden" | "readLine">,
  input: InputRequest,
  signal: AbortSignal,
): Promise<string | undefined> {
  const options = optionsOf(input);
  const { default: preset } = input;
  for (const [index, option] of options.entries()) terminal.err(`  ${index + 1}  ${safeLine(option)}\n`);
  const preselected = preset === undefined || isHidden(input) ? "" : ` [${safeLine(preset)}]`;
  const question = `${describeInput(input)}${preselected}: `;
  for (;;) {
    const given = isHidden(input)
      ? await terminal.readHidden(question, signal)
      : await terminal.readLine(question, signal);
    if (given === undefined) return undefined;
    const text = given === "" ? preset : given;
    if (text === undefined) return undefined;
    if (options.length === 0) return text;
    const chosen = options.includes(text) ? text : options[Number(text) - 1];
    if (chosen !== undefined) return chosen;
    terminal.err(`Choose a number from 1 to ${options.length}.\n`);
  }
}
