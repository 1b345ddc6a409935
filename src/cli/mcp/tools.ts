// The tools that an MCP client gets: a thin layer over the public client, with the caller's own key.
import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js'
import type { CallToolResult, ServerNotification, ServerRequest } from '@modelcontextprotocol/sdk/types.js'
import { z } from 'zod'
import {
  type CreateTask,
  type Dailies,
  DailiesError,
  TaskFailed,
  type TaskRecord,
  turboModel,
  videoUrlOf,
} from '../../../client/src/public.ts'

interface ToolOptions {
  client: Dailies
  version: string
  /** Whether files may be named by their path: only where the caller is on this machine. */
  readsFiles: boolean
}

type Extra = RequestHandlerExtra<ServerRequest, ServerNotification>

const taskId = z.string().describe('The id that create_video returned')

export function createMcpServer(options: ToolOptions): McpServer {
  const { client } = options
  const server = new McpServer({ name: 'dailies', version: options.version })

  server.registerTool(
    'create_video',
    {
      description:
        'Create a task that turns an image into a short video. Returns its id at once; follow it with follow_video.',
      inputSchema: {
        model: z.string().optional().describe(`A model of list_models; by default ${turboModel}`),
        input: z
          .record(z.string(), z.unknown())
          .describe("The model's input, such as { prompt, image_url }; list_models has its schema"),
        idempotency_key: z.string().optional().describe('The same key and input create one task only'),
      },
    },
    ({ model, input, idempotency_key: idempotencyKey }, { signal }) =>
      answered(async () => {
        const body = { model: model ?? turboModel, input } as unknown as CreateTask
        return { taskId: await client.createTask(body, { signal, idempotencyKey }) }
      }),
  )
  server.registerTool(
    'follow_video',
    {
      description: 'Wait for a task to end, with progress, and return its record with the URL of the video.',
      inputSchema: { taskId },
      annotations: { readOnlyHint: true },
    },
    ({ taskId: id }, extra) =>
      answered(async () => {
        const onProgress = ({ state, progress }: { state: string; progress: number }) => report(extra, state, progress)
        return shown(await client.wait(id, { signal: extra.signal, onProgress }))
      }),
  )
  server.registerTool(
    'get_video',
    { description: 'Read a task as it is now.', inputSchema: { taskId }, annotations: { readOnlyHint: true } },
    ({ taskId: id }, { signal }) => answered(async () => shown(await client.getTask(id, { signal }))),
  )
  server.registerTool(
    'cancel_video',
    { description: 'Cancel a task that has not ended. It costs nothing.', inputSchema: { taskId } },
    ({ taskId: id }, { signal }) => answered(() => client.cancel(id, { signal })),
  )
  server.registerTool(
    'list_models',
    {
      description: 'List the models with their prices and the schema of their input.',
      annotations: { readOnlyHint: true },
    },
    ({ signal }) => answered(async () => ({ models: await client.models({ signal }) })),
  )
  server.registerTool(
    'explain_prompt',
    {
      description: 'Show what an engine reads from a prompt: camera moves, effects, and what it cannot do. Free.',
      inputSchema: {
        prompt: z.string(),
        negative_prompt: z.string().optional(),
        model: z.string().optional(),
      },
      annotations: { readOnlyHint: true },
    },
    (body, { signal }) => answered(() => client.explainPrompt(body, { signal })),
  )
  registerUpload(server, options)
  return server
}

function registerUpload(server: McpServer, { client, readsFiles }: ToolOptions): void {
  const sources = {
    url: z.string().optional().describe('A URL that the service fetches'),
    base64: z.string().optional().describe('The bytes of the file, or a data URL with them'),
    file_name: z.string().optional(),
  }
  const path = z.string().optional().describe('A file on this machine')
  server.registerTool(
    'upload_file',
    {
      description: `Upload an image, video or audio file by ${readsFiles ? 'path, ' : ''}url or base64; its downloadUrl is good for tasks for 3 days.`,
      inputSchema: { ...sources, ...(readsFiles ? { path } : {}) },
    },
    (given: { url?: string; base64?: string; file_name?: string; path?: string }, { signal }: Extra) =>
      answered(async () => {
        const { url, base64, file_name: fileName } = given
        const named = { signal, fileName }
        if (url !== undefined) return client.uploadFromUrl(url, named)
        if (base64 !== undefined) {
          const bytes = Buffer.from(base64.replace(/^data:[^,]*,/i, ''), 'base64')
          return client.upload(Uint8Array.from(bytes), named)
        }
        if (!readsFiles || given.path === undefined) throw new Error('Give one of the sources of the file.')
        const bytes = Uint8Array.from(await readFile(given.path))
        return client.upload(bytes, { ...named, fileName: fileName ?? basename(given.path) })
      }),
  )
}

/** The record in short, with what an assistant shows first. */
function shown(record: TaskRecord): object {
  const { param: _param, resultJson: _resultJson, ...rest } = record
  return { ...rest, videoUrl: record.state === 'success' ? videoUrlOf(record) : null }
}

async function report({ _meta, sendNotification }: Extra, state: string, progress: number): Promise<void> {
  const progressToken = _meta?.progressToken
  if (progressToken === undefined) return
  const params = { progressToken, progress, total: 100, message: state }
  // The caller may have hung up; the task goes on.
  await sendNotification({ method: 'notifications/progress', params }).catch(() => {})
}

/** A refusal of the service is a result that the model can read; everything else is an error of the call. */
async function answered(work: () => Promise<object>): Promise<CallToolResult> {
  try {
    const data = await work()
    return { content: [{ type: 'text', text: JSON.stringify(data) }], structuredContent: { ...data } }
  } catch (error) {
    const details =
      error instanceof TaskFailed
        ? { taskId: error.taskId, message: error.message }
        : { message: (error as Error).message, ...(error instanceof DailiesError ? { code: error.code } : {}) }
    return { content: [{ type: 'text', text: JSON.stringify(details) }], isError: true }
  }
}
