// Finds emitters that a file makes or gets without a listener for their errors: such an error ends the process. It reads
// the syntax tree of one file. Pure.
import { stripTypeScriptTypes } from 'node:module'
import { parseAst } from 'vite'

// biome-ignore lint/suspicious/noExplicitAny: a syntax tree has nodes of every shape
type Node = any

/** What makes an emitter: functions and classes by module. */
const makers: Record<string, string[]> = {
  'node:fs': ['createReadStream', 'createWriteStream', 'watch'],
  'node:child_process': ['spawn', 'fork'],
  'node:worker_threads': ['Worker'],
  'node:net': ['connect', 'createConnection', 'createServer', 'Socket'],
  'node:tls': ['connect', 'createServer'],
  'node:http': ['request', 'get', 'createServer'],
  'node:https': ['request', 'get', 'createServer'],
  'node:http2': ['connect', 'createServer', 'createSecureServer'],
  'node:dgram': ['createSocket'],
  'node:stream': ['Readable', 'Writable', 'Duplex', 'Transform', 'PassThrough', 'from'],
  'node:zlib': ['createGzip', 'createGunzip', 'createInflate', 'createDeflate', 'createUnzip', 'createBrotliCompress'],
  undici: ['request', 'WebSocket', 'EventSource'],
  pg: ['Client', 'Pool'],
  '@fastify/busboy': ['Busboy'],
  pino: ['destination', 'transport'],
}
/** Of a file handle. */
const makingMethods = ['createReadStream', 'createWriteStream']
/** Events that hand out an emitter. */
const handingEvents = ['file', 'part', 'connect', 'upgrade', 'stream']
/** Functions that listen to what they are given. */
const listening = ['pipeline', 'finished', 'withErrorListener']

export function unheardEmitters(text: string): string[] {
  const code = stripTypeScriptTypes(text)
  const tree: Node = parseAst(code)
  const known = knownNames(tree)
  const heard = heardNames(tree)
  const problems: string[] = []
  const report = (node: Node, what: string) => {
    const line = code.slice(0, node.start).split('\n').length
    problems.push(`line ${line}: ${what} has no listener for errors`)
  }
  walk(tree, [], (node, ancestors) => {
    const name = makerName(node, known)
    if (name !== null && !isHeard(node, ancestors, heard)) report(node, name)
    const handler = node.type === 'CallExpression' && isListening(node, handingEvents) ? node.arguments[1] : undefined
    if (handler?.params && !handler.params.some((param: Node) => heardNames(handler.body).has(param.name))) {
      report(node, `what the event '${node.arguments[0].value}' hands out`)
    }
  })
  return problems
}

/** Local names of what makes emitters, and those of whole modules that have such members. */
function knownNames(tree: Node): { makers: Set<string>; modules: Map<string, string[]> } {
  const known = { makers: new Set<string>(), modules: new Map<string, string[]>() }
  for (const statement of tree.body) {
    const names = statement.type === 'ImportDeclaration' ? makers[statement.source.value] : undefined
    if (!names) continue
    for (const { type, imported, local } of statement.specifiers) {
      if (type !== 'ImportSpecifier') known.modules.set(local.name, names)
      else if (names.includes(imported.name)) known.makers.add(local.name)
      // `pino.destination`, `Readable.from`
      if (type === 'ImportSpecifier') known.modules.set(local.name, names)
    }
  }
  return known
}

/** The name of what a call or a `new` makes; null where it makes no emitter. */
function makerName(node: Node, known: ReturnType<typeof knownNames>): string | null {
  if (node.type !== 'CallExpression' && node.type !== 'NewExpression') return null
  // `(secure ? requestHttps : requestHttp)(…)`
  const callees = node.callee.type === 'ConditionalExpression' ? [node.callee.consequent] : [node.callee]
  for (const callee of callees) {
    if (callee.type === 'Identifier' && known.makers.has(callee.name)) return callee.name
    if (callee.type !== 'MemberExpression') continue
    const method = callee.property.name
    if (makingMethods.includes(method) || known.modules.get(callee.object.name)?.includes(method)) return method
  }
  return null
}

/** Whether the made emitter is passed to what listens, is listened to at once, or by the name that it is given. */
function isHeard(made: Node, ancestors: Node[], heard: Set<string>): boolean {
  let inner = made
  for (const node of ancestors.toReversed()) {
    if (node.type === 'CallExpression' && node.arguments.includes(inner)) return listening.includes(node.callee.name)
    if (node.type === 'CallExpression' && isListening(node, ['error'])) return true
    if (node.type === 'VariableDeclarator') return heard.has(node.id.name)
    if (node.type === 'AssignmentExpression') return heard.has(node.left.name)
    if (!['AwaitExpression', 'MemberExpression', 'CallExpression', 'ChainExpression'].includes(node.type)) return false
    inner = node
  }
  return false
}

/** Names of what errors are listened for, or of what holds it. */
function heardNames(tree: Node): Set<string> {
  const names = new Set<string>()
  walk(tree, [], (node) => {
    if (node.type !== 'CallExpression') return
    if (isListening(node, ['error'])) names.add(rootName(node.callee.object))
    if (listening.includes(node.callee.name)) for (const given of node.arguments) names.add(given.name)
  })
  return names
}

/** Whether a call adds a listener for one of the events. `once` would leave the second error unheard. */
function isListening({ callee, arguments: [event] }: Node, events: string[]): boolean {
  const method = callee.type === 'MemberExpression' ? callee.property.name : ''
  return ['on', 'addListener', 'addEventListener'].includes(method) && events.includes(event?.value)
}

function rootName(node: Node): string {
  return node.type === 'MemberExpression' ? rootName(node.object) : node.name
}

function walk(node: Node, ancestors: Node[], visit: (node: Node, ancestors: Node[]) => void): void {
  visit(node, ancestors)
  const inside = [...ancestors, node]
  for (const value of Object.values(node)) {
    for (const child of [value].flat()) if (typeof (child as Node)?.type === 'string') walk(child, inside, visit)
  }
}
