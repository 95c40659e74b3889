/** Types of the semantic tokens that we tell, of those that the language server protocol names. */
export const colourTypes = ["function", "operator", "variable"] as const;

/** Their modifiers, a bit each from the lowest on. */
export const colourModifiers = ["readonly"] as const;
