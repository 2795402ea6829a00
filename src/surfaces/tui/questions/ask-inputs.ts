import type { InputRequest, InputsRequest } from "../../../index.ts";
import { safeLine } from "../../../terminal.ts";
import { describeInput, describeInputs, isHidden, optionsOf } from "../../shared/input/describe-inputs.ts";
import type { DisplayContext } from "../../shared/render/place.ts";
import type { Answer, Dialogs } from "../dialogs.ts";
import type { Screen } from "../screen.ts";

/** Asks for the inputs of a server's entry, with steps back. */
export async function askInputs(
  { dialogs }: Screen,
  request: InputsRequest,
  display: DisplayContext,
): Promise<Readonly<Record<string, string>> | undefined> {
  const lines = [describeInputs(request, display)];
  const answers: Record<string, string> = {};
  for (let place = 0; place < request.inputs.length; ) {
    const input = request.inputs[place];
    if (input === undefined) break;
    const answer = await askInput(dialogs, input, { lines, canGoBack: place > 0, isUnexpected: place === 0 });
    if (answer.kind === "cancel") return undefined;
    if (answer.kind === "back") place -= 1;
    else {
      answers[input.id] = answer.value;
      place += 1;
    }
  }
  return answers;
}

function askInput(
  dialogs: Dialogs,
  input: InputRequest,
  about: { readonly lines: readonly string[]; readonly canGoBack: boolean; readonly isUnexpected: boolean },
): Promise<Answer<string>> {
  const title = describeInput(input);
  const { default: preset } = input;
  const options = optionsOf(input);
  if (options.length > 0)
    return dialogs.choose({
      ...about,
      title,
      choices: options.map((value) => ({ value, label: safeLine(value) })),
      ...(preset !== undefined && options.includes(preset) && { initial: preset }),
    });
  return dialogs.askText({
    ...about,
    title,
    isHidden: isHidden(input),
    ...(preset !== undefined && !isHidden(input) && { initial: preset }),
    check: (text) => (text === "" ? "A value is required." : undefined),
  });
}
