import type { VNode } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import type { CallDocument, CallRequestBody, ToolDetails } from "../../../page-api.ts";
import { type Draft, type Entered, parseJson, toArguments, toDraft } from "../forms/draft.ts";
import { fieldsOf, isMap } from "../forms/schema-fields.ts";
import { SchemaForm } from "../forms/schema-form.tsx";
import { pathOf, send } from "../gateway/request.ts";
import { useAction } from "../gateway/use-action.ts";
import { ActionButton, Button } from "../parts/button.tsx";
import { Choice } from "../parts/choice.tsx";
import { Failure, Notice } from "../parts/notice.tsx";
import { Card } from "../parts/page.tsx";
import { CallResult } from "./call-result.tsx";
import { PreviewView, usePreview } from "./preview.tsx";

/** A form for the arguments, what the policy decides about the call, and its result. */
export function TryTool({ tool }: { readonly tool: ToolDetails }): VNode {
  const fields = useMemo(() => fieldsOf(tool.inputSchema), [tool.inputSchema]);
  const [mode, setMode] = useState<"form" | "json">(fields === undefined ? "json" : "form");
  const [draft, setDraft] = useState<Draft>({});
  const [json, setJson] = useState("{}");
  const [refusal, setRefusal] = useState<string>();
  const [result, setResult] = useState<CallDocument>();
  const call = useAction();
  const entered = mode === "form" ? toArguments(fields ?? [], draft) : fromJson(json);
  const isRight = Object.keys(entered.mistakes).length === 0;
  const preview = usePreview(tool, isRight ? entered.arguments : undefined);

  // The tool may have changed since it was checked.
  useEffect(() => {
    if (call.failure !== undefined) preview.reload();
  }, [call.failure]);

  const changeMode = (next: "form" | "json"): void => {
    setRefusal(undefined);
    if (next === "json") setJson(JSON.stringify(entered.arguments, undefined, 2));
    else {
      const changed = isRight ? toDraft(fields ?? [], entered.arguments) : undefined;
      if (changed === undefined) return setRefusal("The form cannot show these arguments.");
      setDraft(changed);
    }
    setMode(next);
  };

  const start = (): void => {
    if (preview.data === undefined) return;
    const { decision, hash } = preview.data;
    const body: CallRequestBody = {
      arguments: entered.arguments,
      ...(decision === "ask" ? { approval: hash } : {}),
    };
    setResult(undefined);
    call.run(
      (signal) => send<CallDocument>(`${pathOf("tools", tool.server, tool.tool)}/call`, body, signal),
      (answer) => {
        setResult(answer);
        preview.reload();
        return answer.isError ? "The tool reported an error." : "The tool returned a result.";
      },
    );
  };

  return (
    <Card
      id="try"
      title="Try it"
      actions={
        fields === undefined ? undefined : (
          <Choice
            legend="How to enter the arguments"
            value={mode}
            choices={[
              { value: "form", text: "Form" },
              { value: "json", text: "JSON" },
            ]}
            onChange={changeMode}
          />
        )
      }
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (preview.blocked === undefined && !call.isRunning) start();
        }}
      >
        {refusal === undefined ? null : <Notice tone="warn" title={refusal} role="alert" />}
        {mode === "json" ? (
          <JsonField value={json} mistake={entered.mistakes[""]} onChange={setJson} />
        ) : fields?.length === 0 ? (
          <p class="soft">This tool has no arguments.</p>
        ) : (
          <SchemaForm fields={fields ?? []} draft={draft} mistakes={entered.mistakes} onChange={setDraft} />
        )}
        <PreviewView preview={preview} values={entered.arguments} tool={tool} />
        <div class="actions">
          <ActionButton
            type="submit"
            kind="primary"
            icon="play"
            isBusy={call.isRunning}
            blocked={isRight ? preview.blocked : "Some arguments are wrong"}
          >
            {preview.data?.decision === "ask" ? "Approve and call" : "Call the tool"}
          </ActionButton>
          {call.isRunning ? (
            <Button icon="stop" onClick={call.stop}>
              Cancel
            </Button>
          ) : null}
        </div>
      </form>
      <Failure failure={call.failure} what="The call failed." />
      {result === undefined ? null : <CallResult result={result} />}
    </Card>
  );
}

interface JsonFieldProps {
  readonly value: string;
  readonly mistake: string | undefined;
  readonly onChange: (text: string) => void;
}

function JsonField({ value, mistake, onChange }: JsonFieldProps): VNode {
  return (
    <div class="field">
      <label for="arguments-json">Arguments as JSON</label>
      <textarea
        id="arguments-json"
        class="mono"
        rows={10}
        spellcheck={false}
        value={value}
        aria-invalid={mistake === undefined ? undefined : "true"}
        aria-describedby={mistake === undefined ? undefined : "arguments-mistake"}
        onInput={(event) => onChange(event.currentTarget.value)}
      />
      {mistake === undefined ? null : (
        <p class="mistake" id="arguments-mistake">
          {mistake}
        </p>
      )}
    </div>
  );
}

function fromJson(text: string): Entered {
  try {
    const value = parseJson(text);
    if (!isMap(value)) throw new Error("Enter a JSON object.");
    return { arguments: value, mistakes: {} };
  } catch (error) {
    return { arguments: {}, mistakes: { "": error instanceof Error ? error.message : String(error) } };
  }
}
