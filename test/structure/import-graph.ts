// Reads which files of a source folder import which, and says what is wrong with the picture: cycles, wrong directions
// between layers, barrels. Pure functions of texts and edges, except for `readImports`.
import { readdirSync, readFileSync } from 'node:fs'
import { join, posix, sep } from 'node:path'

/** File → the files it imports, all relative to the source folder, with `/`. */
export type ImportGraph = Map<string, string[]>

export function readImports(sourceDir: string): ImportGraph {
  const files = readdirSync(sourceDir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(sourceDir.length + 1)
        .split(sep)
        .join('/'),
    )
  return new Map(files.map((file) => [file, importsOf(file, readFileSync(join(sourceDir, file), 'utf8'))]))
}

// `import … from`, `export … from`, a bare `import '…'`, `import('…')` also in types, and the files that workers and
// children are started from.
const specifier = String.raw`\s*['"]([^'"\n]+)['"]`
const patterns = [
  new RegExp(String.raw`^\s*(?:import|export)\b[^'"();]*?\bfrom${specifier}`, 'gm'),
  new RegExp(String.raw`^\s*import${specifier}`, 'gm'),
  new RegExp(String.raw`\bimport\(${specifier}`, 'g'),
  new RegExp(String.raw`\bnew URL\(${specifier}\s*,\s*import\.meta\.url`, 'g'),
]

/** The relative imports of one file's text, resolved. Packages and Node's own modules are left out. */
export function importsOf(file: string, text: string): string[] {
  const code = text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '')
  const found = patterns.flatMap((pattern) => [...code.matchAll(pattern)].map((match) => match[1]!))
  const relative = found.filter((name) => name.startsWith('.') && /\.(ts|js)$/.test(name))
  return [...new Set(relative.map((name) => posix.join(posix.dirname(file), name)))]
}

/** What a file's text loads when it runs, packages and Node's own modules included; types load nothing. */
export function runtimeImports(file: string, text: string): string[] {
  const code = text
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/^\s*\/\/.*$/gm, '')
    .replace(/^\s*(?:import|export) type\b[^'"();]*?\bfrom\s*['"][^'"\n]+['"]/gm, '')
  const found = patterns.slice(0, 3).flatMap((pattern) => [...code.matchAll(pattern)].map((match) => match[1]!))
  return [...new Set(found.map((name) => (name.startsWith('.') ? posix.join(posix.dirname(file), name) : name)))]
}

/** The layer of a file: its top folder, or its own name when it lies at the top. */
function layerOf(file: string): string {
  return file.includes('/') ? file.slice(0, file.indexOf('/')) : file
}

/** The room of a file: its second folder inside a layer, such as `engines/fleet`; a file that lies in none is its own. */
function roomOf(file: string): string {
  return file.split('/').slice(0, 2).join('/')
}

export interface LayerRules {
  /** Lowest first; a layer imports itself and those before it. */
  order: string[]
  /** Every folder inside a layer, such as `fleet` of `engines`. */
  rooms?: Record<string, string[]>
  /** Layers that may import even less than their place allows. */
  only?: Record<string, string[]>
  /** Files outside the source folder, and the layers that may import them. */
  outside?: Record<string, string[]>
}

export function findProblems(graph: ImportGraph, rules: LayerRules): string[] {
  return [
    ...findBarrels(graph),
    ...findMissing(graph, rules.outside ?? {}),
    ...findWrongDirections(graph, rules),
    ...findUnknownRooms(graph, rules.rooms ?? {}),
    ...findCycles(graph).map((cycle) => `files import each other in a circle: ${cycle.join(' → ')}`),
    ...findCycles(folderGraph(graph, layerOf)).map(
      (cycle) => `folders import each other in a circle: ${cycle.join(' → ')}`,
    ),
    ...findRoomCycles(graph),
  ]
}

function findBarrels(graph: ImportGraph): string[] {
  return [...graph.keys()]
    .filter((file) => posix.basename(file) === 'index.ts')
    .map((file) => `${file}: a barrel hides who uses what; import the file itself`)
}

/** An edge to nowhere means that this reader, or the code, is wrong. */
function findMissing(graph: ImportGraph, outside: Record<string, string[]>): string[] {
  return edges(graph)
    .filter(([from, to]) => !graph.has(to) && !outside[to]?.includes(layerOf(from)))
    .map(([from, to]) => `${from}: imports ${to}, which does not exist`)
}

function findWrongDirections(graph: ImportGraph, rules: LayerRules): string[] {
  const place = (file: string) => rules.order.indexOf(layerOf(file))
  const homeless = [...graph.keys()].filter((file) => place(file) < 0).map((file) => `${file}: lies in no known layer`)
  const wrong = edges(graph).filter(([from, to]) => {
    const only = rules.only?.[layerOf(from)]
    if (layerOf(from) === layerOf(to) || place(from) < 0 || place(to) < 0) return false
    return place(to) > place(from) || (only !== undefined && !only.includes(layerOf(to)))
  })
  return [
    ...homeless,
    ...wrong.map(([from, to]) => `${from}: may not import ${to} (${layerOf(from)} → ${layerOf(to)})`),
  ]
}

function findUnknownRooms(graph: ImportGraph, rooms: Record<string, string[]>): string[] {
  const found = [...new Set([...graph.keys()].map(roomOf))].filter(
    (room) => room.includes('/') && !room.endsWith('.ts'),
  )
  const known = Object.entries(rooms).flatMap(([layer, names]) => names.map((name) => `${layer}/${name}`))
  return [
    ...found.filter((room) => !known.includes(room)).map((room) => `${room}: is not in the list of rooms`),
    ...known.filter((room) => !found.includes(room)).map((room) => `${room}: is in the list of rooms, but not there`),
  ]
}

/** Circles between rooms of one layer; those between layers are found by the layers' own graph. */
function findRoomCycles(graph: ImportGraph): string[] {
  return (
    findCycles(folderGraph(graph, roomOf))
      .filter((cycle) => new Set(cycle.map(layerOf)).size === 1)
      // A circle of files alone is reported as such.
      .filter((cycle) => cycle.some((room) => !room.endsWith('.ts')))
      .map((cycle) => `rooms import each other in a circle: ${cycle.join(' → ')}`)
  )
}

/** A walk from file to file that comes back to one it is still in the middle of. */
export function findCycles(graph: ImportGraph): string[][] {
  const done = new Set<string>()
  const cycles: string[][] = []
  function walk(file: string, trail: string[]) {
    const at = trail.indexOf(file)
    if (at >= 0) cycles.push([...trail.slice(at), file])
    if (at >= 0 || done.has(file)) return
    for (const next of graph.get(file) ?? []) walk(next, [...trail, file])
    done.add(file)
  }
  for (const file of graph.keys()) walk(file, [])
  return cycles
}

function folderGraph(graph: ImportGraph, folderOf: (file: string) => string): ImportGraph {
  const folders: ImportGraph = new Map()
  for (const [from, to] of edges(graph)) {
    const known = folders.get(folderOf(from)) ?? []
    if (folderOf(from) !== folderOf(to)) folders.set(folderOf(from), [...new Set([...known, folderOf(to)])])
  }
  return folders
}

function edges(graph: ImportGraph): [from: string, to: string][] {
  return [...graph].flatMap(([from, targets]) => targets.map((to): [string, string] => [from, to]))
}
