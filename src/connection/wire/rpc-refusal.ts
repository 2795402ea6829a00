/** What a request of a server is refused with. */
export class RpcRefusal extends Error {
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

export const METHOD_NOT_FOUND = -32601;
export const INVALID_PARAMS = -32602;
/** From the range that the protocol leaves to implementations. */
export const NOT_NOW = -32000;
/** The person said no to a sampling request. */
export const REJECTED_BY_PERSON = -1;

/** One for all: of a server that asks twenty thousand times, not twenty thousand stacks are recorded. */
export const TOO_MANY: RpcRefusal = new RpcRefusal(NOT_NOW, "Too many requests. Try again later.");
