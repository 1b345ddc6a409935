// After `npm ci`: deletes from node_modules what no program here can load, 460 MB of 1.2 GB. Some packages bring the
// binaries of every platform, the headers of Node, or command line tools beside their library. Runs on any Node,
// before the one that the service uses is there, and skips what is not installed.
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const modules = fileURLToPath(new URL('../node_modules/', import.meta.url))

/** A folder whose other entries are deleted. */
function keepOnly(folder, isKept) {
  const path = join(modules, folder)
  if (!existsSync(path)) return
  for (const name of readdirSync(path)) if (!isKept(name)) remove(join(folder, name))
}

function remove(path) {
  rmSync(join(modules, path), { recursive: true, force: true })
}

// onnxruntime-node: bin/napi-v6/<platform>/<architecture>
for (const version of entries('onnxruntime-node/bin')) {
  const platforms = join('onnxruntime-node/bin', version)
  keepOnly(platforms, (name) => name === process.platform)
  keepOnly(join(platforms, process.platform), (name) => name === process.arch)
}
// The headers that native modules compile against; nothing here compiles.
// npm keeps a list of its own there, which is a file.
for (const name of entries('node/node_modules').filter((each) => !each.startsWith('.'))) {
  remove(join('node/node_modules', name, 'include'))
}
// OpenTelemetry's packages hold three builds of the same code; Node loads build/src.
for (const name of entries('@opentelemetry')) {
  for (const build of ['esm', 'esnext']) remove(join('@opentelemetry', name, 'build', build))
}
// AssemblyScript uses the library only.
remove('binaryen/bin')
// Of its three models one is used, by its weights alone (src/moderation/child/nsfw-model.ts). Its package.json says that
// the weights are CommonJS: without it they load as empty modules.
remove('nsfwjs/dist/browser')
keepOnly('nsfwjs/dist/models', (name) => name === 'mobilenet_v2_mid' || name === 'package.json')

function entries(folder) {
  const path = join(modules, folder)
  return existsSync(path) ? readdirSync(path) : []
}
