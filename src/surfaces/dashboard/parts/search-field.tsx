import type { VNode } from "preact";
import { useId } from "preact/hooks";
import { Icon } from "./icon.tsx";

interface SearchFieldProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** The field that the key `/` moves to. */
export function SearchField({ label, value, onChange }: SearchFieldProps): VNode {
  const id = useId();
  return (
    <div class="search">
      <label for={id} class="unseen">
        {label}
      </label>
      <Icon name="search" />
      <input
        id={id}
        type="search"
        data-search
        placeholder={label}
        value={value}
        spellcheck={false}
        autocomplete="off"
        onInput={(event) => onChange(event.currentTarget.value)}
      />
    </div>
  );
}
