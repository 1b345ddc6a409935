// The service takes JPEG and PNG pictures. Others that the browser can show, such as WebP, GIF and AVIF, become one of the
// two here; of an animation, its first picture.

const taken = new Set(['image/jpeg', 'image/png'])
const jpegQuality = 0.92
/** Pixels on a side that are looked at for transparency: enough for a region that matters. */
const sampledPx = 64

/** The kinds that a file chooser offers. */
export const acceptedPictures = 'image/*,.heic,.heif'

export function isPicture({ type, name }: File): boolean {
  return type.startsWith('image/') || /\.(heic|heif|avif|webp|gif)$/i.test(name)
}

/** The file, or its picture as JPEG, or as PNG where it is transparent; otherwise why it cannot be read. */
export async function asFrame(file: File): Promise<File | string> {
  if (taken.has(file.type)) return file
  const picture = await createImageBitmap(file).catch(() => null)
  if (!picture) return `${file.name} is ${kindOf(file)}, which this browser cannot read; save it as JPEG or PNG first`
  try {
    const { width, height } = picture
    const type = isTransparent(picture) ? 'image/png' : 'image/jpeg'
    const canvas = new OffscreenCanvas(width, height)
    canvas.getContext('2d')!.drawImage(picture, 0, 0)
    const blob = await canvas.convertToBlob({ type, quality: jpegQuality })
    const name = `${file.name.replace(/\.[^.]*$/, '')}.${type === 'image/png' ? 'png' : 'jpg'}`
    return new File([blob], name, { type })
  } catch {
    return `${file.name} is too large to be converted here; save it as JPEG or PNG first`
  } finally {
    picture.close()
  }
}

function isTransparent(picture: ImageBitmap): boolean {
  const canvas = new OffscreenCanvas(sampledPx, sampledPx)
  const context = canvas.getContext('2d')!
  context.drawImage(picture, 0, 0, sampledPx, sampledPx)
  const { data } = context.getImageData(0, 0, sampledPx, sampledPx)
  return data.some((value, index) => index % 4 === 3 && value < 255)
}

/** `in HEIC format`, by its type or its name. */
function kindOf({ type, name }: File): string {
  const kind = (/^image\/(?:x-)?([\w-]+)/.exec(type)?.[1] ?? /\.(\w{1,5})$/.exec(name)?.[1])?.toUpperCase()
  if (type !== '' && !type.startsWith('image/')) return type
  return kind ? `in ${kind} format` : 'of an unknown kind'
}
