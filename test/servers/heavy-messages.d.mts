export declare const HEAVY_MESSAGES: Readonly<Record<string, () => unknown>>;
