import type { VNode } from "preact";
import { useGateway } from "../gateway/context.ts";
import { Button } from "./button.tsx";

interface CopyProps {
  readonly text: string;
  /** What is copied: `the snippet for Cursor`. */
  readonly what: string;
  readonly label?: string;
}

/** Copies a text with one click. */
export function CopyButton({ text, what, label = "Copy" }: CopyProps): VNode {
  const { announce } = useGateway();
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text);
      announce(`Copied ${what}.`);
    } catch {
      announce("The browser does not allow copying. Select the text and copy it yourself.");
    }
  };
  return (
    <Button icon="copy" small onClick={() => void copy()} about={label === "Copy" ? what : ""}>
      {label}
    </Button>
  );
}

interface CodeProps extends CopyProps {
  /** Without a button, for texts that are not meant to be used elsewhere. */
  readonly isReadOnly?: boolean;
}

/** A text that is shown exactly, in a scroll area. */
export function CodeBlock({ text, what, isReadOnly = false }: CodeProps): VNode {
  return (
    <div class={isReadOnly ? "code-block" : "code-block has-button"}>
      <pre class="scroll" data-scroll tabIndex={0} role="group" aria-label={what}>
        <code>{text}</code>
      </pre>
      {isReadOnly ? null : <CopyButton text={text} what={what} />}
    </div>
  );
}
