/** Lets a model work on a task, and compares the result with the expected one. */
import { isDeepStrictEqual } from "node:util";
import { Conversation, Stuck } from "./conversation.mjs";

/**
 * Returns `{ isSolved, tokens, turns, calls, reason? }`. `names`: the agent's name of each tool. `definitions`: the tokens of the definitions
 * of `tools`. `reset` gives the servers new data and returns it.
 */
export async function runTask(task, model, { tools, definitions, names, reset }) {
  const data = reset();
  const request = task.steps.map(({ say }) => say).join(" ");
  const talk = new Conversation(tools, request, definitions);
  const reason = await work(task, model, talk, { names, seen: new Map(), described: new Set() });
  const isSolved = reason === undefined && isDeepStrictEqual(task.result(data), task.expected);
  const { tokens, turns, calls } = talk;
  return { isSolved, tokens, turns, calls, reason: isSolved ? undefined : (reason ?? "the result is wrong") };
}

async function work({ steps }, model, talk, memory) {
  const learned = {};
  try {
    for (const step of steps) {
      const text = await model({ ...step, facts: fill(step.facts ?? {}, learned) }, talk, memory);
      for (const [name, pattern] of Object.entries(step.learn ?? {})) learned[name] = pattern.exec(text)?.[1];
    }
    return undefined;
  } catch (error) {
    if (error instanceof Stuck) return error.message;
    throw error;
  } finally {
    talk.finish();
  }
}

/** Replaces `{name}` with the learned value, in texts at any depth. */
function fill(value, learned) {
  if (typeof value === "string")
    return value.replaceAll(/\{(\w+)\}/g, (_, name) => {
      if (learned[name] === undefined) throw new Stuck(`the earlier results do not contain the ${name}`);
      return learned[name];
    });
  if (Array.isArray(value)) return value.map((item) => fill(item, learned));
  if (typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, fill(item, learned)]));
}
