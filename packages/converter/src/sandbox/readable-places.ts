import type { ReadableCopies } from './engine-access.ts'
import type { LongLivedBox } from './long-lived-box.ts'

/** Kiln's own files where the engine user can read them, and their places inside. */
export async function readablePlaces(
  readOnly: LongLivedBox['readOnly'],
  copies: ReadableCopies,
): Promise<{ from: string; to: string }[]> {
  const places: { from: string; to: string }[] = []
  for (const { from, to, optional } of readOnly ?? []) {
    try {
      places.push({ from: await copies.readablePath(from), to })
    } catch (error) {
      if (!optional || (error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    }
  }
  return places
}
