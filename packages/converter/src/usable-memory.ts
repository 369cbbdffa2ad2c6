import { totalmem } from 'node:os'

/** In bytes: the machine's memory, or what the container may use of it. */
export const usableMemory = (): number => Math.min(totalmem(), process.constrainedMemory() || totalmem())
