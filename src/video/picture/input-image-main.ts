// The program of a process that brings input images into the form that every generator accepts: a JPEG, upright, with
// three channels, of exactly the wanted size, its edges cut off evenly where the shapes differ.
import sharp from 'sharp'
import { describe, serveJobs } from '../../children/serve-jobs.ts'
import type { InputImageJob, InputImageResult } from './input-image-job.ts'

// Each file is opened once, so a cache of opened files would only cost memory.
sharp.cache(false)
sharp.concurrency(1)

serveJobs<InputImageJob, InputImageResult>(async ({ path, toPath, width, height }) => {
  try {
    await sharp(path, { failOn: 'error' })
      .rotate()
      .flatten({ background: '#000' })
      .toColourspace('srgb')
      .resize(width, height, { fit: 'cover' })
      .jpeg({ quality: 95, chromaSubsampling: '4:4:4' })
      .toFile(toPath)
    return null
  } catch (error) {
    return { unusable: describe(error) }
  }
})
