/**
 * Calls an exported function of a module in a separate thread. Arguments and results are copied. All code that reads a
 * user's file in our own process is called this way, so that a file that takes very long delays only its own
 * conversion.
 */
export type InThread = <F extends (...args: never[]) => unknown>(
  module: string,
  name: string,
  ...args: Parameters<F>
) => Promise<Awaited<ReturnType<F>>>
