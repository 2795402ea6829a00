import type { ElicitationAnswer, ElicitationRequest, HostDoctor } from "../../../index.ts";
import { safeLine } from "../../../terminal.ts";
import type { Screen } from "../screen.ts";
import { quoted } from "./server-text.ts";

const MOST_MESSAGE = 4_000;

type PageRequest = Extract<ElicitationRequest, { mode: "url" }>;

/** Asks the user to open a server's page. Shows the complete URL, and opens it only if the user agrees. */
export async function askPage(
  screen: Screen,
  host: { readonly doctor: Pick<HostDoctor, "openPage"> },
  { server, message, url }: PageRequest,
  signal: AbortSignal,
): Promise<ElicitationAnswer> {
  const { style, dialogs } = screen;
  const { href, hostname } = new URL(url);
  const start = href.indexOf("//") + 2;
  const end = start + (/[/?#]|$/.exec(href.slice(start))?.index ?? 0);
  const at = href.lastIndexOf(hostname, end);
  const shown = `${safeLine(href.slice(0, at))}${style.warn(style.bold(hostname))}${safeLine(href.slice(at + hostname.length))}`;
  screen.print(
    `${style.warn("?")} ${style.bold(safeLine(server))} asks you to open a page\n${quoted(message, MOST_MESSAGE)}\n  ${shown}`,
  );
  for (;;) {
    const answer = await dialogs.choose({
      isUnexpected: true,
      title: `Open a page on ${hostname}?`,
      choices: [
        { value: "open", label: "Open it in the browser", key: "o" },
        { value: "opened", label: "I opened it myself", key: "m" },
        { value: "decline", label: "Decline", note: "sends a refusal to the server", key: "d" },
      ] as const,
      initial: "decline",
      signal,
    });
    if (answer.kind !== "value") return { action: "cancel" };
    if (answer.value === "decline") return { action: "decline" };
    if (answer.value === "opened" || (await host.doctor.openPage(href))) return { action: "accept" };
    screen.print(`${style.warn("!")} Could not open a browser. Open the URL yourself.`);
  }
}
