// Errors that know nothing of the product. What a client can be refused with is contract/errors.ts.

/** A mistake of the operator, reported in one line without a stack. */
export class OperatorError extends Error {}
