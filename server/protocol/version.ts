/**
 * Version of everything that client and server say to each other. The client refuses a server of another
 * major.
 */
export const protocolVersion = "1.0";
