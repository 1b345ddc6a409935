// What tests run inside the page, made from text: the project's own types know no browser.

/** Goes to a place of the console, such as `tasks`. */
export const goTo = new Function('place', "location.assign('#/' + place)") as (place: string) => void

/** Goes to an address, and does nothing else for a while. */
export const busyAfter = new Function(
  'go',
  `location.hash = go.hash
   const untilMs = performance.now() + go.ms
   while (performance.now() < untilMs);`,
) as (go: { hash: string; ms: number }) => void

/** A drag's content: one file. */
export const dropOf = new Function(
  'file',
  `const transfer = new DataTransfer()
   transfer.items.add(new File([new Uint8Array(file.bytes)], file.name, { type: file.type }))
   return transfer`,
) as (file: { bytes: number[]; name: string; type: string }) => unknown

/** A file pasted into an element. */
export const pasteInto = new Function(
  'element',
  'file',
  `const clipboardData = new DataTransfer()
   clipboardData.items.add(new File([new Uint8Array(file.bytes)], file.name, { type: file.type }))
   element.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))`,
) as (element: unknown, file: { bytes: number[]; name: string; type: string }) => void

/** Waits until a picture is decoded and returns its width. */
export const decodedWidth = new Function('image', 'return image.decode().then(() => image.naturalWidth)') as (
  image: unknown,
) => Promise<number>

/** Resolves once the video has played past a moment. */
export const playedPast = new Function(
  'video',
  'seconds',
  `return new Promise((resolve) => {
     const look = () => video.currentTime > seconds && resolve(video.currentTime)
     video.addEventListener('timeupdate', look)
     look()
   })`,
) as (video: unknown, seconds: number) => Promise<number>

/** The picture at a share of a video's length, 32 by 18 pixels of RGBA. */
export const frameAt = new Function(
  'video',
  'share',
  `return (async () => {
     video.pause()
     const at = video.duration * share
     // A seek may end before its frame is shown.
     const shown = new Promise((resolve) => {
       const look = (_, { mediaTime }) =>
         Math.abs(mediaTime - at) < 0.1 ? resolve() : video.requestVideoFrameCallback(look)
       video.requestVideoFrameCallback(look)
     })
     video.currentTime = at
     await shown
     const paint = new OffscreenCanvas(32, 18).getContext('2d')
     paint.drawImage(video, 0, 0, 32, 18)
     return [...paint.getImageData(0, 0, 32, 18).data]
   })()`,
) as (video: unknown, share: number) => Promise<number[]>

/** Everything that a script of the page can read of what the browser keeps for it. */
export const keptInPage = 'JSON.stringify([localStorage, sessionStorage, document.cookie])'
/** Whether an element has the focus. */
export const isFocused = new Function('element', 'return document.activeElement === element') as (
  element: unknown,
) => boolean
/** By how many pixels the widest content of these elements leaves them. */
export const overflow =
  '((elements) => Math.max(...[...document.querySelectorAll(elements)].map((each) => each.scrollWidth - each.clientWidth)))'
/** `rtl` or `ltr`. */
export const directionOf = new Function('element', 'return getComputedStyle(element).direction') as (
  element: unknown,
) => string
export const tooWidePx = 'document.documentElement.scrollWidth - innerWidth'
export const ground = 'getComputedStyle(document.documentElement).backgroundColor'
export const focusedText = 'document.activeElement?.textContent ?? ""'
export const runAxe = 'axe.run()'
/** Resolves when what was changed has been painted. */
export const painted = 'new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve(0))))'
/** Plays a video without its sound, which browsers allow without a click. */
export const startPlaying = new Function('video', 'video.muted = true; return video.play()') as (
  video: unknown,
) => Promise<void>

/** Reloads the page as soon as its address has become the hash; nothing more is kept from then on. */
export const reloadAt = new Function(
  'hash',
  `navigation.addEventListener('currententrychange', () => {
     if (location.hash !== hash) return
     Storage.prototype.setItem = () => {}
     location.reload()
   })`,
) as (hash: string) => void

/** What the page keeps in its tab under a name. */
export const keptInTab = new Function('name', 'return sessionStorage.getItem(name)') as (name: string) => string | null

/** Stores a text that later pages of this origin find. */
export const keepInBrowser = new Function('kept', 'localStorage.setItem(kept.name, kept.value)') as (kept: {
  name: string
  value: string
}) => void

export const clipboardText = new Function('return navigator.clipboard.readText()') as () => Promise<string>

/** As if another tab came to the front, or this one again. */
export const setVisibility = new Function(
  'state',
  `Object.defineProperty(document, 'visibilityState', { value: state, configurable: true })
   document.dispatchEvent(new Event('visibilitychange'))`,
) as (state: string) => void
