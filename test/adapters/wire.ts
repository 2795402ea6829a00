export type Body = Readonly<Record<string, unknown>>;

/** What the model does: it calls tools, or it says something and is done. */
export type Turn =
  | { readonly calls: readonly { readonly name: string; readonly args: Body }[] }
  | { readonly text: string };

/** What the provider does instead of asking its model. */
export interface Failing {
  readonly status: number;
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A text as it streams. */
export function wordsOf(text: string): string[] {
  return text.split(/(?<= )/);
}

export interface OfferedTool {
  readonly name: string;
  readonly schema: Body;
  readonly strict?: boolean;
}

/** One provider's wire format, as far as a tool loop needs it. */
export interface Wire {
  readonly path: RegExp;
  tools(body: Body): OfferedTool[];
  /** What came back from the tools in the latest message. */
  results(body: Body): unknown[];
  /** Does this request leave out what the server has heard before? */
  continues?(body: Body): boolean;
  refusals(body: Body): string[];
  answer(turn: Turn): Body;
  stream?(turn: Turn): Body[];
}

export const bodies = (value: unknown): Body[] => (Array.isArray(value) ? (value as Body[]) : []);

const NAME = /^[a-zA-Z0-9_-]{1,64}$/;

export function badNames(tools: readonly OfferedTool[]): string[] {
  return tools.filter(({ name }) => !NAME.test(name)).map(({ name }) => `invalid tool name ${name}`);
}

/** Calls without an answer, and answers without a call. */
export function unmatched(calls: readonly unknown[], answers: readonly unknown[]): string[] {
  return [
    ...calls.filter((id) => !answers.includes(id)).map((id) => `no answer to the call ${String(id)}`),
    ...answers.filter((id) => !calls.includes(id)).map((id) => `no call for the answer ${String(id)}`),
  ];
}

let ids = 0;
export function nextId(prefix: string): string {
  ids += 1;
  return `${prefix}_${ids}`;
}
