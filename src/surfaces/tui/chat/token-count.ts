/** The tokens of one request, as the provider reported them. */
export interface TokenUsage {
  readonly input: number;
  readonly output: number;
}

interface ModelCount {
  requests: number;
  input: number;
  output: number;
}

/** Counts the tokens of a conversation by model. */
export interface TokenCount {
  add(model: string, usage: TokenUsage): void;
  startTurn(): void;
  /** Returns the tokens since the turn started. */
  turn(): TokenUsage;
  totals(): ReadonlyMap<string, Readonly<ModelCount>>;
}

export function createTokenCount(): TokenCount {
  const models = new Map<string, ModelCount>();
  let turn: TokenUsage = { input: 0, output: 0 };
  return {
    add(model, { input, output }) {
      const count = models.get(model) ?? { requests: 0, input: 0, output: 0 };
      models.set(model, {
        requests: count.requests + 1,
        input: count.input + input,
        output: count.output + output,
      });
      turn = { input: turn.input + input, output: turn.output + output };
    },
    startTurn() {
      turn = { input: 0, output: 0 };
    },
    turn: () => turn,
    totals: () => models,
  };
}
