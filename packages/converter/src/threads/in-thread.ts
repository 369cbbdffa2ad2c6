/**
 * Calls an exported function of a module in a thread of its own. What is passed and given
 * back is copied. Whatever reads a user's file in our own process is called this way: a file that takes for ever
 * then holds up its own conversion and nothing else.
 */
export type InThread = <F extends (...args: never[]) => unknown>(
  module: string,
  name: string,
  ...args: Parameters<F>
) => Promise<Awaited<ReturnType<F>>>
