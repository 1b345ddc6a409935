// Cuts a stored neural network (an ONNX file) down to what one of its values needs: the runtime computes every node of
// a file, needed or not. It knows the few fields of the format that it touches, and copies the others. Pure.

// Numbers of fields in onnx.proto.
const modelGraph = 7
const graph = { node: 1, weights: 5, output: 12 }
const node = { input: 1, output: 2 }
const weightsName = 8
/** The name of an output comes first in its description, its type second: a tensor of 32-bit floats. */
const described = { name: 1, type: 2 }
const floatTensor = Uint8Array.of(0x0a, 2, 0x08, 1)

interface Field {
  number: number
  /** The whole field as it stands in the file. */
  raw: Uint8Array
  /** What it holds; empty for plain numbers. */
  value: Uint8Array
}

/** The network without everything after the nodes that use the named weights; the results of these are its outputs. */
export function cutNetwork(model: Uint8Array, ...lastWeights: string[]): Uint8Array {
  return joined(
    fieldsOf(model).map((field) =>
      field.number === modelGraph ? written(modelGraph, graphUpTo(field.value, lastWeights)) : field.raw,
    ),
  )
}

function graphUpTo(bytes: Uint8Array, lastWeights: string[]): Uint8Array {
  const parts = fieldsOf(bytes)
  const nodes = parts.filter(({ number }) => number === graph.node)
  const outputs = lastWeights.map((weights) => {
    const last = nodes.find(({ value }) => textsOf(value, node.input).includes(weights))
    const [output] = last ? textsOf(last.value, node.output) : []
    if (output === undefined) throw new Error(`the network has no node with the weights ${weights}`)
    return output
  })
  // Nodes are listed in the order of computation, so one walk backwards finds everything that the last ones need.
  const needed = new Set(outputs)
  const kept = new Set<Field>()
  for (const one of nodes.toReversed()) {
    if (!textsOf(one.value, node.output).some((name) => needed.has(name))) continue
    kept.add(one)
    for (const name of textsOf(one.value, node.input)) needed.add(name)
  }
  const stays = (part: Field) =>
    part.number === graph.node
      ? kept.has(part)
      : part.number === graph.weights
        ? needed.has(textsOf(part.value, weightsName)[0]!)
        : part.number !== graph.output
  const answers = outputs.map((output) => written(graph.output, describe(output)))
  return joined([...parts.filter(stays).map(({ raw }) => raw), ...answers])
}

function describe(output: string): Uint8Array {
  return joined([written(described.name, new TextEncoder().encode(output)), written(described.type, floatTensor)])
}

function textsOf(message: Uint8Array, number: number): string[] {
  const decoder = new TextDecoder()
  return fieldsOf(message).flatMap((field) => (field.number === number ? [decoder.decode(field.value)] : []))
}

function fieldsOf(message: Uint8Array): Field[] {
  const fields: Field[] = []
  for (let at = 0; at < message.length; ) {
    const start = at
    const [key, valueAt] = readNumber(message, at)
    const form = key & 7
    const [length, lengthEnd] = form === 2 ? readNumber(message, valueAt) : [0, valueAt]
    if (form === 0) at = readNumber(message, valueAt)[1]
    else if (form === 1) at = valueAt + 8
    else if (form === 5) at = valueAt + 4
    else if (form === 2) at = lengthEnd + length
    else throw new Error(`the network's file is damaged at byte ${start}`)
    const value = form === 2 ? message.subarray(lengthEnd, at) : new Uint8Array()
    fields.push({ number: Math.floor(key / 8), raw: message.subarray(start, at), value })
  }
  return fields
}

/** Seven bits a byte, the lowest first. Values beyond 2⁵³ do not occur where it matters. */
function readNumber(bytes: Uint8Array, start: number): [value: number, end: number] {
  let value = 0
  let at = start
  for (let scale = 1; at < bytes.length; scale *= 128) {
    const byte = bytes[at++]!
    value += (byte & 127) * scale
    if (byte < 128) break
  }
  return [value, at]
}

function written(number: number, value: Uint8Array): Uint8Array {
  return joined([numberBytes(number * 8 + 2), numberBytes(value.length), value])
}

function numberBytes(value: number): Uint8Array {
  const bytes: number[] = []
  for (let rest = value; ; rest = Math.floor(rest / 128)) {
    bytes.push(rest < 128 ? rest : (rest % 128) | 128)
    if (rest < 128) return Uint8Array.from(bytes)
  }
}

function joined(parts: Uint8Array[]): Uint8Array {
  return Buffer.concat(parts)
}
