// Debian's nginx with files of deploy/, adapted to a test.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Agent, request } from 'undici'
import { findProgram } from '../debian-package.ts'
import { untilTrue } from '../until.ts'
import { TEST_CERTIFICATE, TEST_KEY } from './tls-certificate.ts'

/** Takes the certificate of the tests for a valid one. */
export const createAgent = () => new Agent({ connect: { rejectUnauthorized: false } })

/** A file of deploy/ with its certificate in `folder`, listening on `port`. */
export async function shippedNginx(file: string, { port, folder }: { port: number; folder: string }): Promise<string> {
  const text = await readFile(new URL(`../../../deploy/${file}`, import.meta.url), 'utf8')
  return text
    .replace('listen 443 ssl', `listen 127.0.0.1:${port} ssl`)
    .replaceAll('/etc/nginx/videos.example.com', join(folder, 'tls'))
}

/** `config` is the content of the http block. Returns once `url` responds, with a function that stops it. */
export async function startNginx(config: string, { url, folder }: { url: string; folder: string }) {
  const program = findProgram('nginx')
  await writeFile(join(folder, 'tls.crt'), TEST_CERTIFICATE)
  await writeFile(join(folder, 'tls.key'), TEST_KEY)
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => {
    return `${name}_temp_path ${join(folder, name)};`
  })
  const file = join(folder, 'nginx.conf')
  await writeFile(
    file,
    `pid ${join(folder, 'pid')}; error_log ${join(folder, 'log')}; events {}
     http { access_log off; ${temporary.join(' ')} ${config} }`,
  )
  const nginx = spawn(program, ['-c', file, '-g', 'daemon off; master_process off;'], { stdio: 'ignore' })
  const dispatcher = createAgent()
  const isUp = async () => {
    const response = await request(`${url}/livez`, { dispatcher }).catch(() => null)
    await response?.body.dump()
    return response?.statusCode === 200
  }
  await untilTrue('nginx listens', isUp).finally(() => dispatcher.close())
  return async () => {
    const exited = once(nginx, 'exit')
    if (nginx.kill('SIGKILL')) await exited
  }
}
