import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads'
import { loadProgram } from './load.ts'
import type { ConvertTask, Message } from './task.ts'

// Runs the conversion in a thread: the main thread can terminate it at the deadline, and it may run out of memory.
// Without an initial task it warms up, reports readiness, and waits for a task.

const port = parentPort
const send = (message: Message): void => port?.postMessage(message)

async function taskToCome(steps: Iterable<() => Promise<unknown>>): Promise<ConvertTask> {
  if (!port) throw new Error('The worker has no parent port.')
  const come = () => receiveMessageOnPort(port)?.message as ConvertTask | undefined
  for (const step of steps) {
    // A task that has already arrived need not wait.
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
