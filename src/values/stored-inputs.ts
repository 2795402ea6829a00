import { createHash } from "node:crypto";
import type { InputRequest, Server } from "../model/index.ts";
import type { ValueSources } from "./value-source.ts";

type Declared = Pick<Server, "name" | "provenance" | "declaration">;

/**
 * Returns the name of the secret that holds a server's input. It includes the file, because a server of the same name in another file
 * must not get the value.
 */
export function inputSecretName({ name, provenance }: Declared, id: string): string {
  const hash = createHash("sha256")
    .update(JSON.stringify([provenance.file, name, id]))
    .digest("hex");
  const plain = `${name}/${id}`.replaceAll(/[^\w.@/+-]+/g, "-").slice(0, 150);
  return `input/${plain}@${hash.slice(0, 16)}`;
}

/** Returns the inputs of a server that are not stored yet. */
export async function missingInputs(
  server: Declared,
  sources: Pick<ValueSources, "secret">,
): Promise<InputRequest[]> {
  const { inputs = [], template } = server.declaration;
  if (template === true) return [];
  const missing: InputRequest[] = [];
  for (const input of inputs)
    if ((await sources.secret(inputSecretName(server, input.id))) === undefined) missing.push(input);
  return missing;
}
