import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { openTogether, runWithStack } from './stop-signals.ts'

test('what opens while something beside it fails is closed too', async () => {
  const closed: string[] = []
  const slow = delay(20).then(() => ({ close: () => void closed.push('slow') }))
  const failing = Promise.reject(new Error('no sandbox'))
  await expect(
    runWithStack(async (stack) => {
      await openTogether(stack, [slow, failing])
    }),
  ).rejects.toThrow('no sandbox')
  expect(closed).toEqual(['slow'])
})

test('what has opened is handed on, and closed with the stack', async () => {
  const closed: string[] = []
  const open = async (name: string) => ({ name, close: () => void closed.push(name) })
  const stack = new AsyncDisposableStack()
  const [one, two] = await openTogether(stack, [open('one'), open('two')])
  expect([one.name, two.name, ...closed]).toEqual(['one', 'two'])
  await stack.disposeAsync()
  expect(closed).toEqual(['two', 'one'])
})
