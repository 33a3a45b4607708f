/** A decoded picture: four bytes (red, green, blue, alpha) for each pixel, row by row. */
export interface Picture {
  readonly width: number;
  readonly height: number;
  readonly rgba: Uint8Array;
}

/** One number for each pixel, row by row. */
export interface Plane {
  readonly width: number;
  readonly height: number;
  readonly values: Float32Array;
}

/** The formats that are read and written. */
export type PictureFormat = 'image/png' | 'image/jpeg';
