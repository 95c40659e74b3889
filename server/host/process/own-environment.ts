type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The environment that this process was started with; the keys of models are gone from `process.env`
 * afterwards, so that no thread and no child inherits them, whatever it is started with. What /proc still
 * shows of the start is hidden by the walls around candidates and compilers; where there are none, it can be
 * read (and so can the environment of the shell).
 */
export function takeEnvironment(keyVariables: readonly string[]): Environment {
  const taken = { ...process.env };
  for (const name of keyVariables) delete process.env[name];
  return taken;
}

/** The environment as it stands, for what comes before it is taken. */
export function environmentAsIs(): Environment {
  return process.env;
}
