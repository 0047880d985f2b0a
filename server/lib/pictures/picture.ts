/** A picture without its metadata, with the size that its header names. */
export interface CleanPicture {
  readonly bytes: Buffer;
  readonly pixels: number;
}
