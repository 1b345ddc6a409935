// A request as code to copy. Pure; texts of the request are quoted for each language.
import type { CreateTaskBody } from '../../api-types.ts'

export type Language = 'TypeScript' | 'Python' | 'curl'
export const languages: readonly Language[] = ['TypeScript', 'Python', 'curl']

/** Creates the task, waits for it and saves the video. The key is read from DAILIES_KEY. */
export function requestCode(language: Language, baseUrl: string, body: CreateTaskBody): string {
  switch (language) {
    case 'TypeScript':
      return typescriptCode(baseUrl, body)
    case 'Python':
      return pythonCode(baseUrl, body)
    case 'curl':
      return curlCode(baseUrl, body)
  }
}

function typescriptCode(baseUrl: string, body: CreateTaskBody): string {
  return `import { writeFile } from 'node:fs/promises'
import { Dailies, videoUrlOf } from 'dailies-client'

const dailies = new Dailies({ baseUrl: ${JSON.stringify(baseUrl)} }) // the key: DAILIES_KEY
const taskId = await dailies.createTask(${JSON.stringify(body, null, 2)})
const record = await dailies.wait(taskId, { onProgress: ({ state, progress }) => console.log(state, progress) })
await writeFile('video.mp4', (await dailies.download(videoUrlOf(record)!)).stream())`
}

function pythonCode(baseUrl: string, body: CreateTaskBody): string {
  return `import json, os, time, urllib.request

URL = ${JSON.stringify(baseUrl)}

def call(path, body=None):
    headers = {"Authorization": f"Bearer {os.environ['DAILIES_KEY']}", "Content-Type": "application/json"}
    data = json.dumps(body).encode() if body else None
    with urllib.request.urlopen(urllib.request.Request(URL + path, data, headers)) as response:
        return json.load(response)["data"]

task_id = call("/api/v1/jobs/createTask", ${pythonLiteral(body, 0)})["taskId"]
while (record := call(f"/api/v1/jobs/recordInfo?taskId={task_id}"))["state"] not in ("success", "fail"):
    print(record["state"], record["progress"])
    time.sleep(1)
if record["state"] == "fail":
    raise SystemExit(record["failMsg"])
urllib.request.urlretrieve(json.loads(record["resultJson"])["resultUrls"][0], "video.mp4")`
}

function curlCode(baseUrl: string, body: CreateTaskBody): string {
  return `url=${shellQuote(baseUrl)}
call() { curl --silent --show-error --fail-with-body -H "Authorization: Bearer $DAILIES_KEY" "$@"; }

task=$(call "$url/api/v1/jobs/createTask" -H 'Content-Type: application/json' \\
  -d ${shellQuote(JSON.stringify(body, null, 2))} | sed 's/.*"taskId":"\\([^"]*\\)".*/\\1/')
call --no-buffer "$url/api/v1/jobs/events?taskId=$task" > /dev/null   # ends with the task
video=$(call "$url/api/v1/video/recordInfo?taskId=$task" | sed -n 's/.*"videoUrl":"\\([^"]*\\)".*/\\1/p')
curl --silent --show-error --fail --output video.mp4 "$video"`
}

const shellQuote = (text: string) => `'${text.replaceAll("'", "'\\''")}'`

function pythonLiteral(value: unknown, depth: number): string {
  if (value === null || value === undefined) return 'None'
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (typeof value !== 'object') return JSON.stringify(value)
  const pad = ' '.repeat(depth + 4)
  const entries = Array.isArray(value)
    ? value.map((item) => pythonLiteral(item, depth + 4))
    : Object.entries(value).map(([name, item]) => `${JSON.stringify(name)}: ${pythonLiteral(item, depth + 4)}`)
  const [open, close] = Array.isArray(value) ? '[]' : '{}'
  return entries.length === 0
    ? `${open}${close}`
    : `${open}\n${entries.map((entry) => `${pad}${entry},\n`).join('')}${' '.repeat(depth)}${close}`
}
