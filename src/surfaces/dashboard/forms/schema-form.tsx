import type { VNode } from "preact";
import { useId } from "preact/hooks";
import { type Draft, type Entered, pathIn } from "./draft.ts";
import type { Field } from "./schema-fields.ts";

interface SchemaFormProps {
  readonly fields: readonly Field[];
  readonly draft: Draft;
  readonly mistakes: Entered["mistakes"];
  readonly onChange: (draft: Draft) => void;
  readonly parent?: string;
}

/** Fields for the arguments of a tool. */
export function SchemaForm({ fields, draft, mistakes, onChange, parent = "" }: SchemaFormProps): VNode {
  const set = (path: string, text: string | undefined): void => {
    const { [path]: _, ...others } = draft;
    onChange(text === undefined ? others : { ...others, [path]: text });
  };
  return (
    <>
      {fields.map((field) => {
        const path = pathIn(parent, field.name);
        if (field.kind === "group")
          return (
            <fieldset class="group" key={path}>
              <legend>
                {field.title} <Marks field={field} />
              </legend>
              {field.description === undefined ? null : <p class="help">{field.description}</p>}
              <SchemaForm
                fields={field.fields}
                draft={draft}
                mistakes={mistakes}
                onChange={onChange}
                parent={path}
              />
            </fieldset>
          );
        return (
          <SchemaField
            key={path}
            field={field}
            value={draft[path]}
            mistake={mistakes[path]}
            onChange={(text) => set(path, text)}
          />
        );
      })}
    </>
  );
}

interface SchemaFieldProps {
  readonly field: Field;
  readonly value: string | undefined;
  readonly mistake: string | undefined;
  readonly onChange: (text: string | undefined) => void;
}

function SchemaField({ field, value, mistake, onChange }: SchemaFieldProps): VNode {
  const id = useId();
  const help = [
    field.description !== undefined && `${id}-help`,
    field.kind === "list" && `${id}-kind`,
    mistake !== undefined && `${id}-mistake`,
  ]
    .filter(Boolean)
    .join(" ");
  return (
    <div class="field">
      <label for={id}>
        {field.title} <Marks field={field} />
      </label>
      {field.description === undefined ? null : (
        <p class="help" id={`${id}-help`}>
          {field.description}
        </p>
      )}
      {field.kind === "list" ? (
        <p class="help" id={`${id}-kind`}>
          One per line.
        </p>
      ) : null}
      <Input
        id={id}
        field={field}
        value={value}
        help={help}
        isWrong={mistake !== undefined}
        onChange={onChange}
      />
      {mistake === undefined ? null : (
        <p class="mistake" id={`${id}-mistake`}>
          {mistake}
        </p>
      )}
    </div>
  );
}

function Marks({ field }: { readonly field: Field }): VNode {
  return (
    <span class="soft small">
      {field.title === field.name ? null : <code>{field.name}</code>}{" "}
      {field.isRequired ? "required" : "optional"}
      {field.fallback === undefined ? null : (
        <>
          , default <code>{field.fallback}</code>
        </>
      )}
    </span>
  );
}

interface InputProps {
  readonly id: string;
  readonly field: Field;
  readonly value: string | undefined;
  readonly help: string;
  readonly isWrong: boolean;
  readonly onChange: (text: string | undefined) => void;
}

function Input({ id, field, value, help, isWrong, onChange }: InputProps): VNode {
  const shared = {
    id,
    "aria-describedby": help === "" ? undefined : help,
    "aria-invalid": isWrong ? ("true" as const) : undefined,
    "aria-required": field.isRequired ? ("true" as const) : undefined,
    spellcheck: false,
    autocomplete: "off",
  };
  switch (field.kind) {
    case "boolean":
    case "choice": {
      const choices = field.kind === "boolean" ? ["true", "false"] : field.choices;
      return (
        <select
          {...shared}
          value={value ?? ""}
          onChange={(event) => onChange(event.currentTarget.value || undefined)}
        >
          <option value="">{field.isRequired ? "Choose…" : "Not set"}</option>
          {choices.map((choice) => (
            <option key={choice} value={choice}>
              {shown(choice)}
            </option>
          ))}
        </select>
      );
    }
    case "lines":
    case "list":
    case "json":
      return (
        <textarea
          {...shared}
          rows={field.kind === "json" ? 4 : 3}
          class={field.kind === "json" ? "mono" : undefined}
          value={value ?? ""}
          onInput={(event) => onChange(event.currentTarget.value || undefined)}
        />
      );
    default:
      return (
        <input
          {...shared}
          type="text"
          inputMode={field.kind === "number" || field.kind === "integer" ? "decimal" : undefined}
          value={value ?? ""}
          onInput={(event) => onChange(event.currentTarget.value || undefined)}
        />
      );
  }
}

/** A text without its quotes. */
function shown(choice: string): string {
  const value: unknown = JSON.parse(choice);
  return typeof value === "string" && value !== "" ? value : choice;
}
