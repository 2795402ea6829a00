export interface Entry {
  readonly line: string;
  readonly goal: number;
  readonly share?: number;
  readonly most?: number;
}

export interface Counts {
  readonly passed: number;
  readonly total: number;
}

export interface Result extends Counts {
  readonly control?: string;
  readonly worst?: string;
}

export interface Row {
  readonly line: string;
  readonly isMet: boolean;
  readonly isWorse: boolean;
}

export function addUp(reports: readonly (Result & { readonly line: string })[]): Map<string, Result>;
export function judge(entry: Entry, result?: Result, kept?: Counts): Row;
export function render(themes: readonly { readonly theme: string; readonly rows: readonly Row[] }[]): string;
export function readTable(text: string): Map<string, Counts>;
