import type { Block } from './block.ts'

export function findLists(_blocks: readonly Block[]): void {}
