import manifest from "../../package.json";

/** Version of the product, from its manifest. */
export const productVersion: string = manifest.version;
