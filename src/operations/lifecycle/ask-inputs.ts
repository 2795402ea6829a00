import { HostError, type Server, singleFlight } from "../../model/index.ts";
import { inputSecretName, missingInputs } from "../../values/index.ts";
import { storeSecret } from "../sign-in/secrets.ts";
import type { Workspace } from "../workspace.ts";
import { mayHaveSecrets } from "./value-context.ts";

/** Asks a person for the inputs of a server that have no value yet, and stores them as secrets. */
export async function askInputs(workspace: Workspace, server: Server): Promise<void> {
  const { people, values, supervisor, stores } = workspace;
  const { onInput } = people;
  const { sources } = values;
  if (onInput === undefined || sources === undefined) return;
  if ((server.declaration.inputs ?? []).length === 0 || !mayHaveSecrets(workspace, server)) return;
  const { name, provenance } = server;
  await singleFlight(people.inputs, name, async () => {
    const inputs = await missingInputs(server, sources);
    if (inputs.length === 0) return;
    const answers = await onInput({ server: name, source: provenance, inputs });
    if (answers === undefined)
      throw new HostError("INTERACTION_REQUIRED", `Server "${name}" requires values that were not entered.`, {
        server: name,
        reason: "value",
      });
    for (const { id } of inputs) {
      const text = Object.hasOwn(answers, id) ? answers[id] : undefined;
      if (typeof text === "string" && text !== "")
        await storeSecret(stores.secrets, inputSecretName(server, id), text);
    }
    await supervisor.close(name); // it may run without the values
  });
}
