import { statSync } from 'node:fs'
import { buildOnce, withRuntime } from './build-once.mjs'

const folder = 'packages/converter/native'

/** Small stand-ins for libraries of ffmpeg that no conversion uses; made again after an update of ffmpeg. */
export const makeLeftOutLibraries = () => {
  const installed = statSync('/usr/bin/ffmpeg', { throwIfNoEntry: false })
  return (
    installed &&
    buildOnce({
      step: 'left-out',
      what: 'what ffmpeg need not load',
      sources: [`${folder}/left-out`],
      texts: [String(installed.size), String(installed.mtimeMs)],
      result: `${folder}/build/left-out`,
      command: withRuntime(`${folder}/left-out/make.mjs`),
      optional: true,
    })
  )
}
