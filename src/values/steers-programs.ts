/** Variables that make a program load or run something else than what was started. */
const STEERING =
  /^(?:LD_.*|DYLD_.*|PATH|NODE_OPTIONS|NODE_PATH|NPM_CONFIG_.*|PYTHON(?:PATH|HOME|STARTUP|WARNINGS|BREAKPOINT)|UV_.*|PIP_.*|RUBY(?:OPT|LIB)|GEM_(?:HOME|PATH)|PERL5?(?:OPT|LIB|DB)|(?:_JAVA|JAVA_TOOL|JDK_JAVA)_OPTIONS|CLASSPATH|BASH_ENV|SHELLOPTS|GIT_(?:SSH.*|EXEC_PATH|CONFIG.*|EDITOR|PAGER)|DOTNET_STARTUP_HOOKS|GCONV_PATH|COMSPEC|PATHEXT)$/i;

/** Would a variable of this name change which code runs? */
export function steersPrograms(name: string): boolean {
  return STEERING.test(name);
}
