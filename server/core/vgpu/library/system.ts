/** Numbers by which generated code asks the host for a service; see `launch/system-calls.ts`. */
export const systemCodes: Readonly<Record<string, number>> & { readonly badCall: number } = {
  vprintf: 0,
  malloc: 1,
  free: 2,
  __assertfail: 3,
  badCall: 4,
};
