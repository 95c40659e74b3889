/**
 * Variables that programs need to find their home, their language, their temporary folder and, on a GPU
 * machine, its driver.
 */
const passedOn: readonly string[] = [
  "PATH",
  "HOME",
  "USER",
  "LOGNAME",
  "SHELL",
  "LANG",
  "LC_ALL",
  "LC_CTYPE",
  "TZ",
  "TMPDIR",
  "XDG_CACHE_HOME",
  "XDG_RUNTIME_DIR",
  "LD_LIBRARY_PATH",
  "DYLD_LIBRARY_PATH",
  "CUDA_HOME",
  "CUDA_PATH",
  "CUDA_VISIBLE_DEVICES",
  "SYSTEMROOT",
];

/**
 * The environment of a child: an allow-list of the server's own variables (keys and tokens are never on it),
 * then what the caller adds. `alsoPass` names further variables of ours that this one program needs (ssh
 * needs SSH_AUTH_SOCK).
 */
export function childEnvironment(
  added: Readonly<Record<string, string>> = {},
  alsoPass: readonly string[] = [],
): Record<string, string> {
  const environment: Record<string, string> = {};
  for (const name of [...passedOn, ...alsoPass]) {
    const value = process.env[name];
    if (value !== undefined) environment[name] = value;
  }
  return { ...environment, ...added };
}
