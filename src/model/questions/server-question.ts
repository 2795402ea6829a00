import type { JsonObject, JsonValue } from "../json/json-value.ts";
import type { FormValue, SamplingContent } from "../wire.ts";

/** A field of a form that a server sends to the user. Its texts come from the server and are safe to print. */
export interface FormField {
  /** The key of the field in the answer. */
  readonly name: string;
  /** The type of the value. `choice` accepts one of the options, `choices` accepts several. */
  readonly kind: "text" | "number" | "integer" | "boolean" | "choice" | "choices";
  /** The title to show. */
  readonly title?: string;
  /** What to enter, for people. */
  readonly description?: string;
  /** Whether the user must fill in the field. */
  readonly required: boolean;
  /** The value to use if the answer omits the field. */
  readonly default?: JsonValue;
  /** The options of a choice: the value to return and the title to show. */
  readonly options?: readonly { readonly value: string; readonly title: string }[];
  /** The format of a text: `email`, `uri`, `date` or `date-time`. Other formats are not checked. */
  readonly format?: string;
  /** The minimum: of a number, of a text's length, or of how many options are chosen. */
  readonly least?: number;
  /** The maximum: of a number, of a text's length, or of how many options are chosen. */
  readonly most?: number;
}

/** A request from a server to the user: to fill in a form, or to open a URL. `server` is the configured name. */
export type ElicitationRequest = (
  | {
      readonly mode: "form";
      readonly server: string;
      readonly message: string;
      readonly fields: readonly FormField[];
    }
  | { readonly mode: "url"; readonly server: string; readonly message: string; readonly url: string }
) & {
  /** The person that the request is for. Absent for the host's own user. */
  readonly principal?: string;
};

/** The user's answer to an elicitation request. */
export type ElicitationAnswer =
  /** Omitted fields get their defaults. The result is validated against the form. */
  | { readonly action: "accept"; readonly content?: Readonly<Record<string, FormValue>> }
  | { readonly action: "decline" | "cancel" };

/** A message of the conversation that a server wants a model to continue. */
export interface SamplingMessage {
  /** Whose message it is. */
  readonly role: "user" | "assistant";
  /** The parts of the message. */
  readonly content: readonly SamplingContent[];
}

/** A server's request for a model response. All of its content is untrusted. */
export interface SamplingRequest {
  /** The name of the server, as configured. */
  readonly server: string;
  /** The person that the request is for. Absent for the host's own user. */
  readonly principal?: string;
  /** The conversation so far. */
  readonly messages: readonly SamplingMessage[];
  /** The maximum number of tokens to generate. */
  readonly maxTokens: number;
  /** The system prompt that the server requests. */
  readonly systemPrompt?: string;
  /** The sampling temperature that the server requests. */
  readonly temperature?: number;
  /** Texts at which the model should stop. */
  readonly stopSequences?: readonly string[];
  /** Hints and priorities for choosing a model, as the protocol defines them. */
  readonly modelPreferences?: JsonObject;
  /** Tools that the model may call. The server runs them itself. */
  readonly tools?: readonly JsonObject[];
  /** How the model should use the tools, as the protocol defines it. */
  readonly toolChoice?: JsonObject;
  /** Metadata to pass to the model provider. */
  readonly metadata?: JsonObject;
}

/** The model's response to a sampling request. */
export interface SamplingAnswer {
  /** The model's response. */
  readonly content: SamplingContent | readonly SamplingContent[];
  /** The name of the model that generated the response. */
  readonly model: string;
  /** Why the model stopped, for example `endTurn` or `maxTokens`. */
  readonly stopReason?: string;
}

/** A folder or file that servers may work with. */
export interface Root {
  /** A `file://` URL. */
  readonly uri: string;
  /** A name for people. */
  readonly name?: string;
}

/** A list of roots that can change while the host is open. */
export interface RootSource {
  /** Returns the current roots. */
  list(): readonly Root[] | Promise<readonly Root[]>;
  /** Calls the listener when the list changes. Returns an unsubscribe function. */
  subscribe(listener: () => void): () => void;
}

/**
 * Handlers for requests from servers. A request without a handler is refused, and the capability is not announced to
 * servers.
 */
export interface QuestionHandlers {
  /** Called when a server asks the user to fill in a form or to open a URL. */
  readonly onElicitation?:
    | ((
        request: ElicitationRequest,
        context: { readonly signal: AbortSignal },
      ) => ElicitationAnswer | Promise<ElicitationAnswer>)
    | undefined;
  /** Called when a server requests a model response. Return `undefined` to refuse the request. */
  readonly onSampling?:
    | ((
        request: SamplingRequest,
        context: { readonly signal: AbortSignal },
      ) => SamplingAnswer | undefined | Promise<SamplingAnswer | undefined>)
    | undefined;
  /** The folders and files that servers may work with: a fixed list, or a source that can change. */
  readonly roots?: readonly Root[] | RootSource | undefined;
}

/** The minimum level of messages that servers should log, as the protocol defines it. */
export type ServerLogLevel =
  | "debug"
  | "info"
  | "notice"
  | "warning"
  | "error"
  | "critical"
  | "alert"
  | "emergency";
