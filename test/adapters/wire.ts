export type Body = Readonly<Record<string, unknown>>;

/** A turn of the model: it calls tools, or it returns text and ends. */
export type Turn =
  | { readonly calls: readonly { readonly name: string; readonly args: Body }[] }
  | { readonly text: string };

/** A provider's response without a model turn. */
export interface Failing {
  readonly status: number;
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Splits a text into streaming chunks. */
export function wordsOf(text: string): string[] {
  return text.split(/(?<= )/);
}

export interface OfferedTool {
  readonly name: string;
  /** Whether a search must find the tool before the model can call it. */
  readonly isDeferred?: boolean;
  readonly schema: Body;
  readonly strict?: boolean;
}

/** The part of a provider's wire format that a tool loop needs. */
export interface Wire {
  readonly path: RegExp;
  tools(body: Body): OfferedTool[];
  /** Returns the tools' results in the latest message. */
  results(body: Body): unknown[];
  /** Returns whether this request omits earlier messages. */
  continues?(body: Body): boolean;
  refusals(body: Body): string[];
  answer(turn: Turn): Body;
  stream?(turn: Turn): Body[];
  /** The last event of a stream, if it is not JSON. */
  readonly endsWith?: string;
}

export const bodies = (value: unknown): Body[] => (Array.isArray(value) ? (value as Body[]) : []);

const NAME = /^[a-zA-Z0-9_-]{1,64}$/;

export function badNames(tools: readonly OfferedTool[]): string[] {
  return tools.filter(({ name }) => !NAME.test(name)).map(({ name }) => `invalid tool name ${name}`);
}

/** Returns calls without a result and results without a call. */
export function unmatched(calls: readonly unknown[], answers: readonly unknown[]): string[] {
  return [
    ...calls.filter((id) => !answers.includes(id)).map((id) => `no answer to the call ${String(id)}`),
    ...answers.filter((id) => !calls.includes(id)).map((id) => `no call for the answer ${String(id)}`),
  ];
}

/** The most tools that OpenAI accepts in a request. */
const MOST_TOOLS = 128;

export function tooMany(tools: readonly OfferedTool[]): string[] {
  return tools.length > MOST_TOOLS ? [`array too long: ${tools.length} tools`] : [];
}

/** Returns deferred tools without a search tool. */
export function unsearchable(tools: readonly OfferedTool[], hasSearch: boolean): string[] {
  return tools.some(({ isDeferred }) => isDeferred) && !hasSearch
    ? ["tools are deferred without a search"]
    : [];
}

let ids = 0;
export function nextId(prefix: string): string {
  ids += 1;
  return `${prefix}_${ids}`;
}
