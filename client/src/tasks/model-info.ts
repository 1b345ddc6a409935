// How the service describes a model.

export interface ModelInfo {
  id: string
  kind: string
  title: string
  description: string
  /** Credits by the names of the model's price list; for embeddings US dollars for a million tokens. */
  prices: Record<string, number>
  /** An input that is accepted as it stands. */
  example: Record<string, unknown>
  /** JSON Schema of the input. */
  inputSchema: Record<string, unknown>
}
