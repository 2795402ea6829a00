import type { VNode } from "preact";
import { useMemo, useState } from "preact/hooks";
import type { FieldChange } from "../../../page-api.ts";
import { differences, type Piece } from "../text/differences.ts";
import { count } from "../text/format.ts";
import { Badge } from "./badge.tsx";
import { Button } from "./button.tsx";

/** Lines without a change that stay visible around a change. */
const CONTEXT = 3;
const MOST_LINES = 10;

/** One difference between two definitions, exactly. */
export function FieldChangeView({ change }: { readonly change: FieldChange }): VNode {
  const { field, before, after } = change;
  const pieces = useMemo(() => differences(textOf(before), textOf(after)), [before, after]);
  return (
    <div class="change">
      <p class="change-head">
        <code class="strong">{field}</code>{" "}
        {before === undefined ? (
          <Badge tone="info" icon="info" text="Added" />
        ) : after === undefined ? (
          <Badge tone="warn" icon="cross" text="Removed" />
        ) : (
          <Badge tone="warn" icon="refresh" text="Changed" />
        )}
      </p>
      <div class="scroll diff" data-scroll tabIndex={0} role="group" aria-label={`Difference of ${field}`}>
        {pieces.length === 0 ? (
          <span class="soft">(empty)</span>
        ) : (
          pieces.map((piece, index) => <PieceView key={index} piece={piece} />)
        )}
      </div>
    </div>
  );
}

function PieceView({ piece: { kind, text } }: { readonly piece: Piece }): VNode {
  if (kind === "same") return <Same text={text} />;
  const word = kind === "removed" ? "removed" : "added";
  const Element = kind === "removed" ? "del" : "ins";
  return (
    <Element>
      <span class="unseen">{` (${word}: `}</span>
      {visibleEnds(text)}
      <span class="unseen">) </span>
    </Element>
  );
}

/** A line break alone would be an invisible change. */
function visibleEnds(text: string): string {
  return text.trim() === "" ? text.replaceAll("\n", "⏎\n").replaceAll("\t", "⇥").replaceAll(" ", "␣") : text;
}

function Same({ text }: { readonly text: string }): VNode {
  const [isOpen, setOpen] = useState(false);
  const lines = text.split("\n");
  const hidden = lines.length - 2 * CONTEXT;
  if (isOpen || lines.length <= MOST_LINES) return <span>{text}</span>;
  return (
    <>
      <span>{`${lines.slice(0, CONTEXT).join("\n")}\n`}</span>
      <Button small kind="quiet" onClick={() => setOpen(true)}>
        Show {count(hidden)} lines without a change
      </Button>
      <span>{`\n${lines.slice(-CONTEXT).join("\n")}`}</span>
    </>
  );
}

function textOf(value: unknown): string {
  if (value === undefined) return "";
  return typeof value === "string" ? value : JSON.stringify(value, undefined, 2);
}
