// dailies mcp: the service for assistants that speak the Model Context Protocol, on stdin and stdout or over HTTP.
import { Dailies } from '../../../client/src/public.ts'
import packageJson from '../../../package.json' with { type: 'json' }
import { OperatorError } from '../../platform/errors.ts'
import {
  type CommandInput,
  type CommandResult,
  command,
  type Flags,
  serverFlags,
  UsageError,
  wholeNumber,
} from '../command.ts'
import { findServer, wantedServer } from '../connect/server.ts'
import { onInterrupt } from '../terminal/interrupt.ts'

const flags = {
  http: { help: 'serve streamable HTTP at /mcp instead of stdin and stdout; callers send their own API keys' },
  host: { value: 'HOST', help: 'with --http: the address to listen on (127.0.0.1)' },
  port: { value: 'PORT', help: 'with --http: the port (8090)' },
  'public-url': { value: 'URL', help: 'with --http: where callers reach it, behind a proxy' },
  ...serverFlags,
} satisfies Flags

type McpInput = CommandInput<readonly [], typeof flags>

export const mcp = command({
  name: 'mcp',
  flags,
  summary: 'Serve the Model Context Protocol to assistants',
  details:
    'Tools: create_video, follow_video (with progress), get_video, cancel_video, list_models, upload_file, ' +
    'explain_prompt. It calls a running server; docs/mcp.md shows how to connect assistants.',
  examples: ['dailies mcp', 'dailies mcp --http --port 8090 --url https://videos.example.com'],
  run: (input) => (input.flags.http ? serveHttp(input) : serveStdio(input)),
})

const { version } = packageJson

async function serveStdio(input: McpInput): Promise<CommandResult> {
  const found = await findServer(input)
  // Loaded only here: the library takes long to load, and other commands do not need it.
  const { StdioServerTransport } = await import('@modelcontextprotocol/sdk/server/stdio.js')
  const { createMcpServer } = await import('./tools.ts')
  const client = new Dailies({ baseUrl: found.url, apiKey: found.key })
  const server = createMcpServer({ client, version, readsFiles: true })
  const ended = new Promise<void>((resolve) => {
    server.server.onclose = resolve
    // The assistant that started this process ends it by closing its input.
    process.stdin.once('end', () => void server.close())
  })
  await server.connect(new StdioServerTransport())
  await ended
  // Standard output belongs to the protocol.
  return { data: undefined, text: '' }
}

async function serveHttp(input: McpInput): Promise<CommandResult> {
  const { host = '127.0.0.1', port: portText = '8090', key } = input.flags
  if (key !== undefined) throw new UsageError('--key has no use with --http: callers send their own keys')
  // Callers bring their keys; one is looked up only to find the server that runs here.
  const serviceUrl = wantedServer(input).url ?? (await findServer(input)).url
  const { startMcpHttp } = await import('./http.ts')
  const port = wholeNumber('--port', portText)
  const publicUrl = input.flags['public-url'] ?? null
  if (publicUrl !== null && !/^https?:$/.test(URL.parse(publicUrl)?.protocol ?? '')) {
    throw new UsageError(`--public-url must be an http or https URL, not "${publicUrl}"`)
  }
  const interrupt = onInterrupt()
  const server = await startMcpHttp({ serviceUrl, version, host, port, publicUrl }).catch((error) => {
    interrupt.stop()
    throw new OperatorError(`cannot listen on ${host}:${port} (${error.code}); choose another --port`)
  })
  console.log(
    input.json ? JSON.stringify({ url: server.url }) : `MCP at ${server.url}, for the service at ${serviceUrl}`,
  )
  await new Promise<void>((resolve) => interrupt.signal.addEventListener('abort', () => resolve(), { once: true }))
  await server.close()
  interrupt.stop()
  return { data: undefined, text: '' }
}
