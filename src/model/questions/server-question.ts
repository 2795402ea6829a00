import type { JsonObject, JsonValue } from "../json/json-value.ts";
import type { FormValue, SamplingContent } from "../wire.ts";

/** One thing a server wants to know. Texts are the server's own, made safe to print. */
export interface FormField {
  readonly name: string;
  readonly kind: "text" | "number" | "integer" | "boolean" | "choice" | "choices";
  readonly title?: string;
  readonly description?: string;
  readonly required: boolean;
  /** Used when the answer leaves the field out. */
  readonly default?: JsonValue;
  /** What can be chosen: the value to answer and the words to show. */
  readonly options?: readonly { readonly value: string; readonly title: string }[];
  readonly format?: string;
  /** Bounds: of a number itself, of the characters of a text, of how many are chosen. */
  readonly least?: number;
  readonly most?: number;
}

/** A server asks a person something, or asks them to visit a page. Named is the server as configured. */
export type ElicitationRequest =
  | {
      readonly mode: "form";
      readonly server: string;
      readonly message: string;
      readonly fields: readonly FormField[];
    }
  | { readonly mode: "url"; readonly server: string; readonly message: string; readonly url: string };

export type ElicitationAnswer =
  /** Fields that are left out get their defaults; the rest is checked against the form. */
  | { readonly action: "accept"; readonly content?: Readonly<Record<string, FormValue>> }
  | { readonly action: "decline" | "cancel" };

export interface SamplingMessage {
  readonly role: "user" | "assistant";
  readonly content: readonly SamplingContent[];
}

/** A server asks for a model's answer. Everything in it is the server's own word. */
export interface SamplingRequest {
  readonly server: string;
  readonly messages: readonly SamplingMessage[];
  readonly maxTokens: number;
  readonly systemPrompt?: string;
  readonly temperature?: number;
  readonly stopSequences?: readonly string[];
  readonly modelPreferences?: JsonObject;
  /** Tools the model may ask for; the server runs them itself. */
  readonly tools?: readonly JsonObject[];
  readonly toolChoice?: JsonObject;
  readonly metadata?: JsonObject;
}

export interface SamplingAnswer {
  readonly content: SamplingContent | readonly SamplingContent[];
  /** The model that answered. */
  readonly model: string;
  readonly stopReason?: string;
}

/** A folder or file that servers are told about. */
export interface Root {
  /** A `file://` address. */
  readonly uri: string;
  readonly name?: string;
}

/** Roots that change while the host lives. */
export interface RootSource {
  list(): readonly Root[] | Promise<readonly Root[]>;
  /** Told when the list changed. The answer stops it. */
  subscribe(listener: () => void): () => void;
}

/** What the program answers when a server asks. What is not here is refused, and never announced. */
export interface QuestionHandlers {
  readonly onElicitation?:
    | ((
        request: ElicitationRequest,
        context: { readonly signal: AbortSignal },
      ) => ElicitationAnswer | Promise<ElicitationAnswer>)
    | undefined;
  /** Answering nothing refuses the request. */
  readonly onSampling?:
    | ((
        request: SamplingRequest,
        context: { readonly signal: AbortSignal },
      ) => SamplingAnswer | undefined | Promise<SamplingAnswer | undefined>)
    | undefined;
  readonly roots?: readonly Root[] | RootSource | undefined;
}

/** How much servers are asked to log, in the protocol's words. */
export type ServerLogLevel =
  | "debug"
  | "info"
  | "notice"
  | "warning"
  | "error"
  | "critical"
  | "alert"
  | "emergency";
