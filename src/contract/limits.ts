// Limits of input files that the request's schema, its documentation and the check of the fetched file share.

const mebibyte = 2 ** 20

export function mebibytes(count: number): number {
  return count * mebibyte
}

/** Of any image or picture of a video: no decoder of the service opens a larger one. */
export const pixelsMax = 50_000_000

/** What the files of elements must keep to. */
export const elementLimits = Object.freeze({
  imageBytesMax: mebibytes(10),
  audioSecondsMin: 5,
  audioSecondsMax: 30,
  captureMsMin: 3000,
  captureMsMax: 8000,
})

/** As wide as those of any model, for requests that are read before their model is known. */
export const widestLimits = Object.freeze({
  promptCharacters: 3072,
  negativePromptCharacters: 500,
  secondsMin: 3,
  secondsMax: 15,
})

export const uploadBytesMax = mebibytes(100)
export const uploadBase64BytesMax = mebibytes(10)
