/** `1:05.2`: minutes, seconds and tenths. */
export function clockText(milliseconds: number): string {
  const tenths = Math.floor(milliseconds / 100);
  const [minutes, rest] = [Math.floor(tenths / 600), tenths % 600];
  return `${minutes}:${String(Math.floor(rest / 10)).padStart(2, "0")}.${rest % 10}`;
}
