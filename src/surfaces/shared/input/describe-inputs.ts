import type { InputRequest, InputsRequest } from "../../../index.ts";
import { safeLine } from "../../../terminal.ts";
import { type DisplayContext, renderPlace } from "../render/place.ts";

const MOST_OPTIONS = 50;

/** Returns the text that introduces a server's questions for its inputs. */
export function describeInputs({ server, source }: InputsRequest, display: DisplayContext): string {
  return `Server "${safeLine(server)}" (${renderPlace(source, display)}) requires values. They are stored in Plugboard's vault.`;
}

/** Returns the question for one input. */
export function describeInput({ id, description }: InputRequest): string {
  return description === undefined
    ? safeLine(id)
    : `${safeLine(id)} (${safeLine(description.slice(0, 300))})`;
}

/** Returns the values that the user can choose from. */
export function optionsOf({ options = [] }: InputRequest): readonly string[] {
  return options.slice(0, MOST_OPTIONS);
}

/** An input that its file does not describe can be a secret. */
export function isHidden({ secret, type }: InputRequest): boolean {
  return secret === true || type === undefined;
}
