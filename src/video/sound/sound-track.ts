// The sound track of a clip: the given recordings, or the sound of the place that the prompt speaks of.
import { readSound } from '../av/media-reader.ts'
import { readingInput } from '../input-error.ts'
import { hashSeed } from '../random.ts'
import { ambience, type Place, placeOf } from './ambience.ts'
import { fitTracks } from './sound.ts'

/** The given sound fitted to the clip, or where none is given, an ambience by the prompt's words and by what is drawn. */
export async function soundTrack(
  paths: string[],
  prompt: string,
  seconds: number,
  heard: Place[] = [],
): Promise<Float32Array[]> {
  if (paths.length === 0) return ambience(placeOf(prompt, heard), hashSeed(prompt), seconds)
  const tracks: Float32Array[][] = []
  for (const path of paths) {
    tracks.push(await readingInput('the sound', () => readSound(path, seconds)))
  }
  return fitTracks(tracks, seconds)
}
