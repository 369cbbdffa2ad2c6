import { buildOnce } from './build-once.mjs'

const folder = 'packages/converter/native'

/** The C helpers. Kiln works without them, slower. */
export const buildNativeHelper = () =>
  buildOnce({
    step: 'native',
    what: 'the native helpers',
    sources: [folder],
    result: `${folder}/build`,
    // All of it: an object that the compiler was stopped in the middle of looks finished to make.
    command: ['make', '--always-make', '-C', folder],
    optional: true,
  })
