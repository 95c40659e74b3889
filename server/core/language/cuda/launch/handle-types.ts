/** The type of an object of the driver that a parameter names: a texture or a surface. */
export function handleType(type: string): string | undefined {
  return /\bcuda(?:Texture|Surface)Object_t\b/.exec(type)?.[0];
}
