// A model that an operator declares on the schema of a built-in one: another public name, other prices, the same
// fields and rules.
import type { VideoModel } from './model.ts'

export function declareModel(
  base: VideoModel,
  declared: { id: string; title?: string; description?: string },
): VideoModel {
  return {
    ...base,
    id: declared.id,
    like: base.like ?? base.id,
    title: declared.title ?? declared.id,
    description: declared.description ?? base.description,
    inputSchema: base.inputSchema.meta({ title: `Input of ${declared.id}` }),
  }
}
