// GET /s/<token>: a page that plays one shared video, and the files it is made of. No key is needed, and nothing else
// about the task can be learned: no prompt, no account, no id.
import { hash } from 'node:crypto'
import { apiError } from '../../../contract/errors.ts'
import { findFile } from '../../../storage/files.ts'
import { sharedVideo } from '../../../tasks/store/shares.ts'
import { answered, type Route, route } from '../../route.ts'
import { type FileDeps, sendFile } from '../files/files.ts'

/** The video fills the window up to its own size and has its own aspect ratio from the start: no jumps, no bars. */
const styleFor = (
  width: number,
  height: number,
) => `:root { color-scheme: light dark; background: light-dark(#f7f5f0, #0e0d0c); color: light-dark(#1a1815, #ede8e0) }
body { display: grid; place-items: center; min-height: 100vh; min-height: 100dvh; margin: 0 }
main { box-sizing: border-box; width: 100%; padding: var(--space); --space: 24px }
h1 { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap }
video { display: block; width: min(100%, ${width}px, (100vh - 2 * var(--space)) * ${width} / ${height}); height: auto; aspect-ratio: ${width} / ${height}; margin: 0 auto; border-radius: 8px; background: #000 }
@media (max-width: 600px) { main { --space: 0px } video { border-radius: 0 } }`

const policyFor = (style: string) =>
  [
    "default-src 'none'",
    "img-src 'self'",
    "media-src 'self'",
    `style-src 'sha256-${hash('sha256', style, 'base64')}'`,
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')

/** Addresses are relative to `/s/`, so that a proxy may serve the service under a path of its own. */
const page = (token: string, style: string) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow, noarchive">
<title>Shared video</title>
<link rel="icon" type="image/svg+xml" href="../favicon.ico">
<style>${style}</style>
</head>
<body>
<main>
<h1>Shared video</h1>
<video src="${token}/video" poster="${token}/poster" controls loop playsinline preload="metadata" aria-label="The shared video"></video>
</main>
</body>
</html>
`

const noIndex = { 'x-robots-tag': 'noindex, nofollow, noarchive' }

export function sharePageRoutes(deps: FileDeps): Route[] {
  async function read(token: string) {
    const video = await sharedVideo(deps.db, token, deps.clock.now())
    if (!video) throw apiError('no_file')
    return video
  }
  const file = (method: 'GET' | 'HEAD', name: string, which: 'video' | 'thumbnail') =>
    route({
      endpoint: `${method} /s/:token/${name}`,
      access: 'open',
      async handler({ params, request, reply }) {
        const { token, name: plainName } = (await read(params.token!))[which]
        const found = await findFile(deps.db, token, deps.clock.now())
        if (!found) throw apiError('no_file')
        reply.headers(noIndex)
        // The stored name contains words of the prompt.
        await sendFile(deps, { ...found, name: plainName }, request, reply, { revalidate: true })
        return answered
      },
    })
  return [
    route({
      endpoint: 'GET /s/:token',
      access: 'open',
      async handler({ params, reply }) {
        const { width, height } = await read(params.token!)
        const style = styleFor(width, height)
        reply
          .headers({
            ...noIndex,
            'content-security-policy': policyFor(style),
            'content-type': 'text/html; charset=utf-8',
          })
          .send(page(encodeURIComponent(params.token!), style))
        return answered
      },
    }),
    ...(['GET', 'HEAD'] as const).flatMap((method) => [
      file(method, 'video', 'video'),
      file(method, 'poster', 'thumbnail'),
    ]),
  ]
}
