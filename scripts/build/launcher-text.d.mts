/** Returns the launcher with the function that finds the home folder, which is also part of the library. */
export function launcherText(): Promise<string>;
