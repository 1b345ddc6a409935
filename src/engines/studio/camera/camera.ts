// Where the camera is at one moment, and how it sees.

/** Positions count in halves of the frame's sides at zoom 1: −1 and 1 are the edges of the first frame. */
export interface Camera {
  /** Crop factor; at 1 the frame shows what the first frame shows. */
  zoom: number
  /** The centre of the view. */
  x: number
  y: number
  /** Radians; above 0 the camera turns clockwise, and the picture in it the other way. */
  roll: number
  /** −1 to 1. Above 0 the camera stands to the right, so that the picture's right side is nearer. */
  yaw: number
  /** How far near things are left behind by far ones, as shares of the frame's width: to the left, and upwards. */
  shiftX: number
  shiftY: number
  /** How much more near things grow than far ones. */
  dolly: number
}

/** The camera from 0, on the first frame, to 1, on the last. */
export type CameraPath = (t: number) => Camera
