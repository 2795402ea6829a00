import type { ComponentChildren, VNode } from "preact";
import { useId, useLayoutEffect, useRef } from "preact/hooks";
import { Button } from "./button.tsx";

interface DialogProps {
  readonly title: string;
  readonly children: ComponentChildren;
  readonly onClose: () => void;
}

/** A modal dialog. The browser keeps the focus inside. At the end, the focus returns to the element that had it before. */
export function Dialog({ title, children, onClose }: DialogProps): VNode {
  const element = useRef<HTMLDialogElement>(null);
  const id = useId();
  useLayoutEffect(() => {
    const opener = document.activeElement;
    element.current?.showModal();
    return () => {
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus({ preventScroll: true });
    };
  }, []);
  return (
    <dialog
      ref={element}
      aria-labelledby={id}
      onClose={onClose}
      onClick={(event) => {
        if (event.target === element.current) onClose(); // outside of the content
      }}
    >
      <div class="dialog">
        <div class="card-head">
          <h2 id={id}>{title}</h2>
          <Button kind="quiet" small icon="cross" onClick={onClose}>
            Close
          </Button>
        </div>
        {children}
      </div>
    </dialog>
  );
}
