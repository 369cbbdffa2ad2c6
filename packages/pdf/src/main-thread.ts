import { getHeapStatistics } from 'node:v8'
import { Script } from 'node:vm'
import { ConversionFailure } from './failure.ts'
import { loadPdfium } from './read/pdfium.ts'
import { type ConvertTask, convertFile, type Send } from './task.ts'

// Converts in the main thread: starting a worker costs as much as a page. V8's timeout stops it at the deadline.
// Documents that use much of the heap, and unexpected errors, are left to the worker, which has a larger stack and may
// run out of memory.

const shareOfHeap = 0.2

/** The caller reports a timeout. */
export async function convertInMainThread(
  task: ConvertTask,
  seconds: number,
  send: Send,
): Promise<'ended' | 'too late' | 'needs a thread'> {
  const pdfium = await loadPdfium()
  const maxHeap = shareOfHeap * getHeapStatistics().heap_size_limit
  const place = globalThis as { kilnConversion?: () => void }
  place.kilnConversion = () =>
    convertFile(pdfium, task, (message) => {
      if (getHeapStatistics().used_heap_size > maxHeap) throw new Error('The heap fills.')
      send(message)
    })
  try {
    new Script('kilnConversion()').runInThisContext({ timeout: Math.ceil(1000 * seconds) })
    send({ done: true })
  } catch (error) {
    if ((error as { code?: unknown }).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return 'too late'
    if (!(error instanceof ConversionFailure)) return 'needs a thread'
    send({ failure: error.word, sentence: error.message })
  } finally {
    delete place.kilnConversion
  }
  return 'ended'
}
