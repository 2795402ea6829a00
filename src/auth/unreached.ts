import { Refusal } from "./refusal.ts";

/** Nobody answered, or not in time: the same question may have an answer later. */
export class Unreached extends Refusal {}
