import type { Host } from "../../index.ts";
import { safeLine } from "../../terminal.ts";
import type { CommandContext } from "./command.ts";
import { STATE_TRAITS } from "./render/state.ts";

const REPORT_AFTER_MS = 2_000;
/** How often an installation is reported. */
const INSTALLING_MS = 5_000;

/** While `work` is pending, prints which servers it waits for. Prints only on a terminal and after a delay. */
export async function reportWhileWaiting<T>(
  { json, terminal, style }: CommandContext,
  host: Host,
  work: Promise<T>,
): Promise<T> {
  if (json || !terminal.errIsTty()) return work;
  const say = (text: string): void => terminal.err(`${style.dim(text)}\n`);
  const reportInstalling = (): void => {
    for (const { name, installing, because = "" } of host.servers())
      if (installing !== undefined) say(`${safeLine(name)}: ${safeLine(because)}`);
  };
  const timer = setTimeout(() => {
    const slow = host.servers().filter(({ state }) => STATE_TRAITS[state].isUnderWay);
    const names = slow.map(({ name }) => safeLine(name)).join(", ");
    if (slow.length > 0) say(`Waiting for ${names} …`);
    reportInstalling();
  }, REPORT_AFTER_MS);
  const repeated = setInterval(reportInstalling, INSTALLING_MS);
  return work.finally(() => {
    clearTimeout(timer);
    clearInterval(repeated);
  });
}
