import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads'
import { loadProgram } from './load.ts'
import type { ConvertTask, Message } from './task.ts'

// The work in a thread of its own: the main thread can end it when a page would take for ever, and it may run out of
// memory. Without a task from the start it warms up, says so, and takes the one that comes.

const port = parentPort
const send = (message: Message): void => port?.postMessage(message)

async function taskToCome(steps: Iterable<() => Promise<unknown>>): Promise<ConvertTask> {
  if (!port) throw new Error('The worker has no parent port.')
  const come = () => receiveMessageOnPort(port)?.message as ConvertTask | undefined
  for (const step of steps) {
    // A task that is there already is not kept waiting.
    const early = come()
    if (early) return early
    await step()
  }
  return new Promise((resolve) => {
    port.once('message', resolve)
    send({ ready: true })
  })
}

async function work(): Promise<void> {
  const { runTask, warmUp } = await loadProgram()
  await runTask((workerData as ConvertTask | undefined) ?? (await taskToCome(warmUp())), send)
}

void work()
