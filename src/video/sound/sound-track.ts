// The sound track of a clip: the given recordings, or an ambience where there are none.
import { readSound } from '../av/media-reader.ts'
import { readingMaterial } from '../input-error.ts'
import { ambience, fitTracks } from './sound.ts'

/** The given sound fitted to the clip, or an ambience where none is given. */
export async function soundTrack(paths: string[], seed: number, seconds: number): Promise<Float32Array[]> {
  if (paths.length === 0) return ambience(seed, seconds)
  const tracks: Float32Array[][] = []
  for (const path of paths) {
    tracks.push(await readingMaterial('the sound', () => readSound(path, seconds)))
  }
  return fitTracks(tracks, seconds)
}
