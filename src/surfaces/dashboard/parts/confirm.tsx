import type { ComponentChildren, VNode } from "preact";
import { Button } from "./button.tsx";
import { Dialog } from "./dialog.tsx";

interface ConfirmProps {
  readonly title: string;
  /** What happens: the text of the button. */
  readonly action: string;
  readonly children: ComponentChildren;
  readonly onConfirm: () => void;
  readonly onCancel: () => void;
}

/** Asks before something that cannot be undone with one click. */
export function Confirm({ title, action, children, onConfirm, onCancel }: ConfirmProps): VNode {
  return (
    <Dialog title={title} onClose={onCancel}>
      {children}
      <div class="actions">
        <Button kind="danger" onClick={onConfirm}>
          {action}
        </Button>
        <Button onClick={onCancel}>Cancel</Button>
      </div>
    </Dialog>
  );
}
