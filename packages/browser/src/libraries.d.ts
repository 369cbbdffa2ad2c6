// Types of libraries that ship without types.

declare module 'libheif-js/libheif-wasm/libheif.js' {
  interface HeifImage {
    get_width(): number
    get_height(): number
    display(target: ImageData, callback: (shown: ImageData | null) => void): void
  }
  interface HeifModule {
    HeifDecoder: new () => { decode(bytes: Uint8Array): HeifImage[] }
  }
  // biome-ignore lint/style/noDefaultExport: as the library exports it.
  export default function libheif(options: { wasmBinary: ArrayBuffer }): HeifModule
}

declare module 'gifenc' {
  type Palette = number[][]
  type Format = 'rgb565' | 'rgb444' | 'rgba4444'
  export function quantize(
    pixels: Uint8ClampedArray,
    colours: number,
    options: { format: Format; oneBitAlpha?: boolean },
  ): Palette
  export function applyPalette(pixels: Uint8ClampedArray, palette: Palette, format: Format): Uint8Array
  export function GIFEncoder(): {
    writeFrame(
      indexes: Uint8Array,
      width: number,
      height: number,
      options: { palette: Palette; transparent?: boolean; transparentIndex?: number },
    ): void
    finish(): void
    bytes(): Uint8Array<ArrayBuffer>
  }
}
