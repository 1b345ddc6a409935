// Errors that are independent of the product. The errors that clients get are in contract/errors.ts.

/** A mistake by the operator, reported in one line without a stack. */
export class OperatorError extends Error {}

/** What was thrown, as an Error. */
export const asError = (thrown: unknown) => (thrown instanceof Error ? thrown : new Error(String(thrown)))
