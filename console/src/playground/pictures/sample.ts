// The sample that an empty playground opens with, so that nothing has to be found before the first video.
import picture from './dusk-over-the-lake.jpg'

/** Stands for the sample in a draft until it has been uploaded. */
export const sampleUrl = 'sample:dusk'
export const samplePrompt = 'Dusk over the lake. The camera pushes in slowly towards the boat while the mist drifts by.'
/** Its address in this page. */
export const samplePicture: string = picture
