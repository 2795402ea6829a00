import type { Host, WriteScope } from "../../../index.ts";
import type { Command } from "../command.ts";
import { displayContextOf } from "../display-context.ts";
import { renderPlace } from "../render/place.ts";
import { readScope, SCOPE_FLAG } from "./scope.ts";

export const remove: Command = {
  name: "remove",
  aliases: ["rm"],
  summary: "Remove a server from Plugboard's config.",
  parameters: "<server>",
  words: { least: 1, most: 1 },
  flags: { scope: SCOPE_FLAG },
  examples: ["plugboard remove files", "plugboard rm files --scope user"],
  async run(context) {
    const [name = ""] = context.words;
    const host = await context.openHost();
    const scope = readScope(context.flags["scope"]);
    const ownSecrets = context.json ? [] : await secretsOf(host, name, scope);
    const removed = await host.config.remove(name, scope);
    if (context.json) context.printJson(removed);
    else {
      const place = renderPlace({ file: removed.file }, displayContextOf(context));
      context.terminal.out(
        `${context.style.bad("-")} Removed server "${name}" from ${removed.scope} config (${place})\n`,
      );
      const remaining = host.servers().find((server) => server.name === name);
      if (remaining?.source.tool === "plugboard") return 0; // may use the same secrets
      for (const secret of ownSecrets)
        context.terminal.err(
          `  Its secret is still in the vault. To remove it: ${context.program} secret rm ${secret}\n`,
        );
    }
    return 0;
  },
};

/** Returns the stored secrets that the entry refers to and that `add` or `import` named after it. */
async function secretsOf(host: Host, name: string, scope: WriteScope | undefined): Promise<string[]> {
  try {
    const { before } = await host.config.edit({
      name,
      changes: [],
      dryRun: true,
      ...(scope !== undefined && { scope }),
    });
    const references = JSON.stringify(before).matchAll(/keychain:([\w.@/+-]+)/g);
    const prefix = `${name.replaceAll(/[^\w.@/+-]/g, "_")}/`;
    const used = new Set([...references].map(([, secret = ""]) => secret));
    const own = [...used].filter((secret) => secret.startsWith(prefix));
    const stored = own.length === 0 ? [] : await host.secrets.list();
    return own.filter((secret) => stored.includes(secret));
  } catch {
    return []; // such as an invalid entry, which can be removed too
  }
}
