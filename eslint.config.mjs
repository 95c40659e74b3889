import tseslint from "typescript-eslint";

/** Few rules, each one a habit of server/ARCHITECTURE.md; layers and caps are tests in test/architecture. */
export default tseslint.config(
  { ignores: ["dist/**", "out/**", "node_modules/**", "samples/**", "test/cases/**", "**/*.mjs"] },
  {
    files: ["**/*.ts"],
    languageOptions: { parser: tseslint.parser, parserOptions: { projectService: true } },
    plugins: { "@typescript-eslint": tseslint.plugin },
    rules: {
      "@typescript-eslint/no-explicit-any": "error",
      "@typescript-eslint/no-floating-promises": "error",
      "@typescript-eslint/no-misused-promises": ["error", { checksVoidReturn: false }],
      "@typescript-eslint/await-thenable": "error",
      "@typescript-eslint/switch-exhaustiveness-check": [
        "error",
        { considerDefaultExhaustiveForUnions: true },
      ],
      "@typescript-eslint/no-unused-vars": ["error", { argsIgnorePattern: "^_" }],
      "@typescript-eslint/consistent-type-imports": "error",
      complexity: ["error", 15],
      "no-nested-ternary": "error",
      "no-empty": ["error", { allowEmptyCatch: false }],
      "no-console": "error",
      "no-eval": "error",
      "no-implied-eval": "error",
      eqeqeq: ["error", "always"],
      "prefer-const": "error",
    },
  },
);
