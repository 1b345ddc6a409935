// Which engine a task goes to. Pure functions of the model's route and of the engines' abilities and health.
import type { Abilities, Plan } from '../engine.ts'

/** Which engines serve a model. */
export interface ModelRoute {
  /** Chosen among by weight while they are healthy. */
  engines: { name: string; weight: number }[]
  /** Used in this order when none of those is healthy. */
  fallback: string[]
  /** What happens to a request that no engine of the model can fulfil. */
  unsupported: 'refuse' | 'studio'
}

/** What a request asks that not every engine can do. */
export type Needs = Abilities

/** Of a request at creation and of a plan alike. */
export function needsOf(asked: { lastFrame: unknown; elements: readonly unknown[] } | Plan): Needs {
  return { lastFrame: asked.lastFrame !== null, elements: asked.elements.length > 0 }
}

/** The unmet needs, as phrases for the client. */
export function unmetNeeds(needs: Needs, abilities: Abilities | undefined): string[] {
  if (abilities === undefined) return []
  return [
    ...(needs.lastFrame && !abilities.lastFrame ? ['a last frame'] : []),
    ...(needs.elements && !abilities.elements ? ['elements'] : []),
  ]
}

interface EngineView {
  abilities(name: string): Abilities | undefined
  healthy(name: string): boolean
}

export type Assignment =
  | { engine: string }
  | { refusal: 'unsupported'; unmet: string[] }
  | { refusal: 'unhealthy'; engines: string[] }

/** The engine of a new task. `random` is from 0 to below 1. */
export function assignEngine(route: ModelRoute, needs: Needs, view: EngineView, random: number): Assignment {
  const able = (name: string) => unmetNeeds(needs, view.abilities(name)).length === 0
  const primary = route.engines.filter(({ name, weight }) => weight > 0 && able(name))
  const fallback = route.fallback.filter(able)
  if (primary.length + fallback.length === 0) {
    if (route.unsupported === 'studio') return { engine: 'studio' }
    return { refusal: 'unsupported', unmet: unmetNeeds(needs, view.abilities(route.engines[0]!.name)) }
  }
  const chosen = byWeight(
    primary.filter(({ name }) => view.healthy(name)),
    random,
  )
  const engine = chosen ?? fallback.find((name) => view.healthy(name))
  if (engine !== undefined) return { engine }
  return { refusal: 'unhealthy', engines: [...primary.map(({ name }) => name), ...fallback] }
}

function byWeight(choices: { name: string; weight: number }[], random: number): string | undefined {
  let left = random * choices.reduce((sum, { weight }) => sum + weight, 0)
  for (const { name, weight } of choices) {
    left -= weight
    if (left < 0) return name
  }
  return choices.at(-1)?.name
}

/** The engines from the view of a task that is queued, or whose attempt has just failed. */
interface TaskView {
  abilities(name: string): Abilities | undefined
  ready(name: string): boolean
  failed(name: string): boolean
}

/** The engines of the model that can do the task, in order, without `current` and those that have failed it. */
function othersFor(route: ModelRoute, needs: Needs, current: string, view: TaskView): string[] {
  const heaviestFirst = route.engines.filter(({ weight }) => weight > 0).sort((a, b) => b.weight - a.weight)
  return [...heaviestFirst.map(({ name }) => name), ...route.fallback].filter(
    (name) => name !== current && !view.failed(name) && unmetNeeds(needs, view.abilities(name)).length === 0,
  )
}

/**
 * Where a task that is queued for `current` goes now: there, to another engine of its model, or null while none takes
 * it. An engine that has failed the task before is only taken when there is no other.
 */
export function placeTask(route: ModelRoute, needs: Needs, current: string, view: TaskView): string | null {
  if (view.ready(current) && !view.failed(current)) return current
  const others = othersFor(route, needs, current, view)
  return others.find((name) => view.ready(name)) ?? (view.ready(current) ? current : null)
}

/** The engine that takes over a task that `current` must not get again; null when there is none. */
export function successorOf(route: ModelRoute, needs: Needs, current: string, view: TaskView): string | null {
  const others = othersFor(route, needs, current, view)
  return others.find((name) => view.ready(name)) ?? others[0] ?? null
}
