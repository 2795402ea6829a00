export declare const HEAVY_DEFINITIONS: Readonly<Record<string, () => readonly unknown[]>>;
