import { totalmem } from 'node:os'

/** In bytes: the machine's memory, or the limit of the container. */
export const usableMemory = (): number => Math.min(totalmem(), process.constrainedMemory() || totalmem())
