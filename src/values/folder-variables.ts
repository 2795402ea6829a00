/**
 * Variables that name a folder or the person. Their values are on every prompt and in every path that is shown anyway, and a
 * message without them could not say which file it is about. The values of all other variables are masked.
 */
const FOLDER_VARIABLES: ReadonlySet<string> = new Set(
  `HOME USER LOGNAME PWD OLDPWD TMPDIR TMP TEMP PATH SHELL
  XDG_CONFIG_HOME XDG_DATA_HOME XDG_STATE_HOME XDG_CACHE_HOME XDG_BIN_HOME XDG_RUNTIME_DIR
  USERPROFILE USERNAME HOMEDRIVE HOMEPATH APPDATA LOCALAPPDATA PUBLIC ONEDRIVE
  PROGRAMDATA PROGRAMFILES PROGRAMFILES(X86) SYSTEMDRIVE SYSTEMROOT WINDIR
  CLAUDE_PROJECT_DIR CLAUDE_PLUGIN_ROOT CLAUDE_PLUGIN_DATA CLAUDE_CONFIG_DIR CODEX_HOME
  GEMINI_PROJECT_DIR PLUGIN_ROOT PLUGIN_DATA PLUGBOARD_HOME`.split(/\s+/),
);

/** Whether the value of this variable is shown. Windows does not tell upper from lower case in names. */
export function isFolderVariable(name: string, platform: string): boolean {
  return FOLDER_VARIABLES.has(platform === "win32" ? name.toUpperCase() : name);
}
