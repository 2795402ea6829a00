import type { SignInView } from "../../../index.ts";
import { safeLine } from "../../../terminal.ts";
import { localTime } from "./local-time.ts";
import type { Style } from "./style.ts";
import { type Cell, renderTable } from "./table.ts";

export interface NamedSignIn extends SignInView {
  /** The configured servers that use this sign-in. */
  readonly servers: readonly string[];
}

const MARKS = { "signed-in": ["●", "good"], expired: ["!", "warn"], ended: ["!", "warn"] } as const;

/** Renders the output of `plugboard auth status`. */
export function renderSignIns(signIns: readonly NamedSignIn[], style: Style): string {
  if (signIns.length === 0) return "No sign-ins are stored.\n";
  const rows = signIns.map((signIn): Cell[] => {
    const { servers, url, id, account, current, issuer, state, expiresAt, renewable } = signIn;
    const [mark, tone] = MARKS[state];
    const name = safeLine(servers.join(", ") || url || id);
    const ends = expiresAt === undefined ? "" : `until ${localTime(expiresAt).slice(0, 16)}`;
    return [
      { text: `? ${name}`, paint: () => `${style[tone](mark)} ${style.name(name)}` },
      { text: `${safeLine(account)}${current ? "" : " (not used)"}` },
      { text: safeLine(new URL(issuer).host), paint: style.dim },
      {
        text:
          state === "signed-in" && renewable ? "renews automatically" : state === "signed-in" ? ends : state,
      },
    ];
  });
  const lines = renderTable(rows).flatMap((line, index) => {
    const because = signIns[index]?.because;
    return because === undefined ? [line] : [line, `    ${style.warn(safeLine(because))}`];
  });
  return `${lines.join("\n")}\n`;
}
