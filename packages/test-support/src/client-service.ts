import { mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import { Kiln, type KilnError, type KilnOptions } from '@kiln/client'
import { expect, inject } from 'vitest'
import { createAccountByConsole } from './operator-session.ts'

const setup = inject('clientTestSetup')

export const { baseUrl, origin, archives } = setup

/** A key of a new account, with credits for as many conversions as a test may want. */
export const newKey = async (credits = 1000): Promise<string> =>
  (await createAccountByConsole(setup.operator, 'Client', credits)).key.key

export const kilnOf = (apiKey: string | null, options: KilnOptions = {}): Kiln =>
  new Kiln({ baseUrl, apiKey, ...options })

/** A folder that goes with the run: hooks that are set in a test or in another hook would not be called. */
export const temporaryFolder = (): Promise<string> => mkdtemp(join(setup.folder, 'test-'))

export const markdown = '# Kiln report\n\nPlain words and *leaning* ones.\n'

/** The error of a call that must fail. */
export const thrownBy = (promise: Promise<unknown>): Promise<KilnError> =>
  promise.then(
    () => expect.unreachable('it did not fail'),
    (error: unknown) => error as KilnError,
  )
